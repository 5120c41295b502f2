"""People, and the tokens and names by which others recognise them."""
