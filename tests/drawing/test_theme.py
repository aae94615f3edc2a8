"""The stylesheet and the tiles."""

import re

from azulejos.drawing import svg, theme, tiles


def test_every_colour_is_a_colour() -> None:
    for colours in (theme.LIGHT, theme.DARK, theme.MARKER, *theme.GLAZES.values()):
        for value in vars(colours).values():
            assert re.fullmatch("#[0-9a-f]{6}", value)


def test_every_colour_of_a_theme_is_used() -> None:
    assert {colour for _, _, colour in theme._COLOURED} == set(vars(theme.LIGHT))


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_words_can_be_read() -> None:
    """The contrast that WCAG asks of text, on all that text stands on."""
    for colours in (theme.LIGHT, theme.DARK):
        for ground in (colours.ground, colours.board, colours.well, colours.disc, colours.centre):
            for ink in (colours.ink, colours.soft):
                assert contrast(ink, ground) >= 4.5, (ink, ground)
        for ink in (colours.gain, colours.loss):
            assert contrast(ink, colours.board) >= 4.5
        assert contrast(colours.count, colours.badge) >= 4.5


def test_outlines_can_be_seen() -> None:
    """The contrast that WCAG asks of what is not text."""
    for colours in (theme.LIGHT, theme.DARK):
        for ground in (colours.ground, colours.board, colours.well, colours.disc, colours.centre):
            assert contrast(colours.outline, ground) >= 3, ground


def test_black_tiles_stand_out_by_night() -> None:
    """By an edge that only they have, and by their motif; empty places are no tiles."""
    black, edge = theme.GLAZES["black"], theme.GLOWS["black"]
    assert f"color:{edge}" in theme.stylesheet("dark")
    for ground in (
        theme.DARK.ground,
        theme.DARK.board,
        theme.DARK.well,
        theme.DARK.disc,
        theme.DARK.centre,
        black.face,
    ):
        assert contrast(edge, ground) >= 3, ground
    assert contrast(black.light, black.face) >= 3


def test_the_stylesheet_is_scoped() -> None:
    for chosen in (None, *theme.THEMES):
        text = theme.stylesheet(chosen)
        assert text.count("{") == text.count("}")
        assert "<" not in text
        for rule in re.findall(r"(?:^|[{}])([^{}@]+){", text):
            if not rule.startswith("(prefers"):
                assert all(part.startswith(".azulejos") for part in rule.split(",")), rule


def test_nine_motifs_on_three_shapes() -> None:
    assert set(tiles.MOTIFS) == set(theme.GLAZES)
    assert len({motif.thin for motif in tiles.MOTIFS.values()}) == 9
    for shape in tiles.SHAPES:
        assert len({tiles.tile(colour, shape) for colour in tiles.MOTIFS}) == 9


def test_text_stays_text() -> None:
    written = svg.element("text", "</text>", x='1"/>')
    assert written == '<text x="1&quot;/&gt;">&lt;/text&gt;</text>'
    assert svg.element("g", svg.element("a"), "<b>") == "<g><a/>&lt;b&gt;</g>"
