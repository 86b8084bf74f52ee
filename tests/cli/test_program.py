"""The program as such: its help, its version, its errors."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from rarewood import __version__
from rarewood.cli import _errors as errors
from rarewood.cli import main
from rarewood.cli._app import COMMANDS
from rarewood.intake import TableError
from support.program import command, fails, run


def python(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip


def test_version_and_help():
    assert run("--version").stdout.strip() == f"rarewood {__version__}"
    text = run("--help").stdout
    assert all(name in text for name in COMMANDS)
    for name in COMMANDS:
        result = run(name, "--help")
        assert result.exit_code == 0
        assert "Usage: rarewood" in result.stdout


def test_help_imports_nothing_heavy():
    code = """
import sys
from rarewood.cli import main
try:
    main(["compare", "--help"])
except SystemExit:
    pass
heavy = ["numpy", "pandas", "pyarrow", "sklearn", "scipy", "matplotlib", "jinja2"]
print("heavy:", [name for name in heavy if name in sys.modules])
"""
    assert "heavy: []" in python(code).stdout


def test_without_typer_it_says_what_to_install():
    code = """
import sys
sys.modules["typer"] = None
from rarewood.cli import main
main(["--help"])
"""
    done = python(code)
    assert done.returncode == 2
    assert done.stderr.strip().splitlines() == [
        "rarewood: The command line needs the packages typer and rich: pip install 'rarewood[cli]'."
    ]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["compare"], ["Missing argument 'DATA'. See 'rarewood compare --help'."]),
        (["comparre"], ["No such command 'comparre'.", "See 'rarewood --help'."]),
        (["datasets", "--nonsense"], ["No such option: --nonsense."]),
        (["fit", "a.csv"], ["Missing option '--out'", "See 'rarewood fit --help'."]),
        (["fit", "a.csv", "-o"], ["requires an argument"]),
        (["fit", "a.csv", "-o", "m", "b.csv"], ["unexpected extra argument"]),
        (["fit", "a.csv", "-o", "m", "--sample", "many"], ["Invalid value for '--sample'"]),
        (["fit", "a.csv", "-o", "m", "--seed", str(2**32)], ["Invalid value for '--seed'"]),
        (["rules", "m", "--format", "xml"], ["'--format'", "'xml' is not one of 'text'"]),
        (["explain", "m", "a.csv", "--row", "0"], ["Invalid value for '--row'"]),
        (
            ["compare", "a.csv", "-j", "0"],
            ["'--n-jobs'", "1 or more, or -1 for all cores"],
        ),
        (["fit", "a.csv", "-o", "m", "-j", "0"], ["1 or more, or -1 for all cores"]),
    ],
)
def test_wrong_words_are_one_line(words, parts):
    fails(run(*words), *parts)


def test_the_program_alone_shows_its_help():
    result = run()
    assert result.exit_code == 2
    assert "Usage: rarewood" in result.output
    assert "compare" in result.output


def test_ctrl_c_outside_the_commands(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("rarewood.cli._app._program", interrupted)
    fails(run("datasets"), "Interrupted.", code=130)
    monkeypatch.setattr("rarewood.cli._app.make_app", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "rarewood: Interrupted.\n"


def test_debug_shows_the_traceback():
    for place in ([0], [2]):
        words = ["datasets", "wnie"]
        words.insert(place[0], "--debug")
        done = subprocess.run(
            command(*words), capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 2
        assert "Traceback" in done.stderr
        assert "Did you mean 'wine'?" in done.stderr


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (TableError("a line"), "a line"),
        (ValueError("two\nlines"), "two lines"),
        (FileNotFoundError(2, "No such file", "a.csv"), "a.csv: No such file."),
        (OSError(28, "No space left on device"), "No space left on device."),
        (MemoryError(), "Out of memory: use fewer columns with --columns"),
        (
            ZeroDivisionError("by zero"),
            "ZeroDivisionError: by zero (internal error",
        ),
    ],
)
def test_errors_in_one_line(error, line, monkeypatch):
    def fail():
        raise error

    assert errors.one_line(error).startswith(line)
    monkeypatch.setattr("rarewood.datasets.available", lambda folder: fail())
    fails(run("datasets"), line)


@pytest.mark.parametrize("text", ["", "Interrupted. All is kept."])
def test_ctrl_c_is_one_line(text, monkeypatch):
    def interrupt(folder):
        raise KeyboardInterrupt(text)

    monkeypatch.setattr("rarewood.datasets.available", interrupt)
    fails(run("datasets"), text or "Interrupted.", code=130)


def test_ctrl_c_that_became_another_error(monkeypatch):
    def interrupt(folder):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("half a module") from error

    monkeypatch.setattr("rarewood.datasets.available", interrupt)
    fails(run("datasets"), "Interrupted.", code=130)


def test_ctrl_c_inside_exec_ends_with_code_130():
    code = """
from rarewood import datasets
from rarewood.cli import main
datasets.available = lambda folder: exec("raise KeyboardInterrupt")
import sys
sys.argv = ["rarewood", "datasets"]
main()
"""
    done = python(code)
    assert (done.returncode, done.stderr) == (130, "rarewood: Interrupted.\n")


LOST = """
import os, signal, sys, time
from rarewood import datasets
from rarewood.cli import main
number = getattr(signal, sys.argv.pop())
def available(folder):
    try:
        os.kill(os.getpid(), number)
        time.sleep(5)
    except BaseException:
        pass  # as a library does that discards any exception
    try:
        time.sleep(60)
    finally:
        time.sleep(2.5)  # is not interrupted
        print("cleaned")
datasets.available = available
main()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_that_is_lost_is_repeated(name):
    done = subprocess.run(
        [sys.executable, "-c", LOST, "datasets", name], capture_output=True, text=True, timeout=50,
        check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("cleaned\n", "rarewood: Interrupted.\n")
    assert done.returncode == 128 + getattr(signal, name)


AT_EXIT = """
import atexit, os, signal, sys, time
from rarewood.cli import main
def stop_workers():
    os.kill(os.getpid(), signal.NAME)
    time.sleep(60)
atexit.register(stop_workers)
sys.argv.insert(1, "--version")
main(None)
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_at_exit_shows_no_traceback(name):
    """The command is over: there is nothing to clean up."""
    code = AT_EXIT.replace("NAME", name)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=50, check=False
    )
    assert done.returncode == -getattr(signal, name)
    assert done.stdout.startswith("rarewood ")
    assert done.stderr == ""


def test_ctrl_c_while_the_program_is_imported():
    code = """
import sys
from rarewood.cli import main
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv = ["rarewood", "--version"] if len(sys.argv) < 2 else sys.argv
main()
"""
    for name in ("rarewood.cli._main", "rarewood.cli._errors", "rarewood.cli._app", "typer"):
        done = subprocess.run(
            [sys.executable, "-c", code, name], capture_output=True, text=True, timeout=120,
            check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (130, "rarewood: Interrupted.\n"), name


def test_main_is_reached_before_other_modules_are_imported():
    """Until it runs, Ctrl-C gives a traceback."""
    code = """
import sys
before = set(sys.modules)
import rarewood.cli
print(sorted(name for name in set(sys.modules) - before if name.startswith("rarewood")))
print([name for name in ("collections", "enum", "functools", "re", "typing")
       if name in set(sys.modules) - before])
"""
    names = ["rarewood", "rarewood._imports", "rarewood._version", "rarewood.cli"]
    assert python(code).stdout.splitlines() == [str(names), "[]"]


def test_a_reader_that_has_seen_enough():
    done = subprocess.run(
        f"{sys.executable} -m rarewood datasets | head -n 1",
        shell=True, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""
