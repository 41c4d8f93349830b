"""What a card looks like: layout files read into validated elements, `extends` resolved."""
