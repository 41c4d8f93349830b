"""(card, layout) → a Scene, the display list in millimetres: text set, shapes and icons placed."""
