"""Laws that every criterion and every tree obeys, as properties over drawn examples."""
