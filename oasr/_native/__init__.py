"""The modules built from csrc/; each is typed by the .pyi beside it."""
