"""Places on paper: grid, duplex, page order, crop marks. Pure arithmetic in whole micrometres."""
