"""What is printed: card sets read into cards whose every field knows its file, line and column."""
