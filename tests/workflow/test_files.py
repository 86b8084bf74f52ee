"""Checks of output files."""

from __future__ import annotations

import pytest

from rarewood.workflow._files import check_not_input, check_writable


def test_places_to_write(tmp_path):
    for place, is_folder in [(tmp_path / "a" / "b", True), (tmp_path / "a.txt", False)]:
        assert check_writable(place, is_folder) == place
    assert list(tmp_path.iterdir()) == []  # asking leaves nothing behind
    (tmp_path / "a").mkdir()
    (tmp_path / "file").write_text("x")
    for place, is_folder, words in [
        (tmp_path / "nowhere" / "a.txt", False, "does not exist"),
        (tmp_path / "a", False, "is a folder"),
        (tmp_path / "file" / "a", True, "Cannot write"),
    ]:
        with pytest.raises(OSError, match=words):
            check_writable(place, is_folder)
    assert (tmp_path / "file").read_text() == "x"


def test_an_output_that_is_an_input(tmp_path):
    (tmp_path / "a.csv").write_text("x")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    check_not_input(tmp_path / "b.csv", tmp_path / "a.csv", object())
    with pytest.raises(ValueError, match="would be overwritten"):
        check_not_input(tmp_path / "link.csv", str(tmp_path / "a.csv"))
