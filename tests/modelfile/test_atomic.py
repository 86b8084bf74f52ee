"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import signal

import pytest

from rarewood.modelfile._atomic import replacing


def test_a_file_takes_the_place_of_another(tmp_path):
    place = tmp_path / "a.txt"
    place.write_text("old")
    with replacing(place) as draft:
        draft.write_text("new")
        assert place.read_text() == "old"
    assert place.read_text() == "new"
    assert list(tmp_path.iterdir()) == [place]


def _write_and_raise(place, error):
    with replacing(place, "the model") as draft:
        draft.write_text("half")
        raise error


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), OSError(5, "broken")])
def test_an_error_leaves_everything_as_it_was(tmp_path, error):
    place = tmp_path / "a.txt"
    place.write_text("old")
    with pytest.raises(type(error)) as caught:
        _write_and_raise(place, error)
    assert caught.value is error
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_full_disk_is_said_with_the_name(tmp_path):
    place = tmp_path / "a.txt"
    full = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match=r"Cannot write the model to .*a\.txt: No space") as caught:
        _write_and_raise(place, full)
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    with replacing(link) as draft:
        draft.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_pipes_and_devices_are_left_alone(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="pipe: it is not a regular file"), replacing(pipe):
        pass
    assert pipe.is_fifo()
    with pytest.raises(IsADirectoryError, match="it is a folder"), replacing(tmp_path):
        pass


def test_what_a_killed_writer_has_left_is_removed(tmp_path):
    place, other = tmp_path / "a.txt", tmp_path / ".a.txt.notes.part"
    other.write_text("of someone else")
    child = os.fork()
    if not child:
        with replacing(place) as draft:
            draft.write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2
    with replacing(place) as draft, replacing(place) as second:
        draft.write_text("new")
        second.write_text("newer")
        assert draft.exists()  # its writer lives
    assert sorted(tmp_path.iterdir()) == [other, place]
