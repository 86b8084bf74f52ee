"""Trees and forests: how they are grown, and what they are when they are fitted."""
