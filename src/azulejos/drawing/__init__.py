"""Drawing shared by all games: SVG, theme, tiles, and the parts that every board has."""
