"""Reading data files so that every value knows its place, and writing files whole or not at all."""
