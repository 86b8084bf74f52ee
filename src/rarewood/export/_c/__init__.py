"""Models as one file of C99."""
