"""Tables of every kind, checked and encoded as the trees take them."""
