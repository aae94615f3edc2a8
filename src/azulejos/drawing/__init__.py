"""What the boards of all games share: tiles, theme, SVG writing."""
