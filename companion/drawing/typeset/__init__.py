"""The text setter: Traditional Chinese and English in one line, icons, bold runs, fitted to a box.

`markup` splits a cell's text into tokens, `charclass` says what may stand beside what, `measure`
turns tokens into prefix sums of widths in ems, `breaking` finds lines at any size, `setting` fits
a text to its box and places the runs.
"""
