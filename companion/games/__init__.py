"""The rules of the shipped games; they know nothing of printing."""
