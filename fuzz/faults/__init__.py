"""What must survive a kill, a full disk, a read-only folder and a clock that jumps."""
