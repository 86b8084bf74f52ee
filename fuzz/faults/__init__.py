"""What must survive a kill, a full disk, a folder without write permission and a clock that jumps."""
