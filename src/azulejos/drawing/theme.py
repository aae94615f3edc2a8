"""All colours, and their stylesheet. Tiles look the same in both themes; boards and backgrounds change."""

from dataclasses import asdict, dataclass
from functools import cache

THEMES = ("light", "dark", "auto")  # auto follows the reader's system


@dataclass(frozen=True)
class Glaze:
    """The colours of one kind of tile."""

    face: str
    side: str  # the lower edge, in shade
    line: str  # the thin frame
    light: str  # the motif
    deep: str  # the motif's second colour


GLAZES = {
    "blue": Glaze("#23509f", "#152f66", "#9dbdf0", "#edf3ff", "#153a7d"),
    "yellow": Glaze("#eba92a", "#a86f10", "#fff0c4", "#fff5d6", "#a9630f"),
    "red": Glaze("#bd3a2b", "#741c13", "#f3c4ae", "#fbe6d8", "#8e2418"),
    "black": Glaze("#262b3a", "#0f121b", "#8e97b1", "#dde1ec", "#171b27"),
    "white": Glaze("#f8faf8", "#a9bdb9", "#7cc9c4", "#16918c", "#0e706d"),
    "turquoise": Glaze("#159c95", "#0a5c59", "#a6e3dc", "#e2f7f3", "#0d7671"),
    "purple": Glaze("#6f3fa0", "#402061", "#cfb2ea", "#f4e8ff", "#502a7a"),
    "green": Glaze("#2e7d46", "#174a27", "#a9d4a4", "#e8f5dc", "#1d5f32"),
    "orange": Glaze("#dd6b20", "#8f3d0a", "#ffd3a8", "#fff1de", "#a9490c"),
}
GLOWS = {  # a kind of tile as lines and letters on dark
    "blue": "#7da7f5",
    "yellow": "#f2c14e",
    "red": "#f28370",
    "black": "#aeb7d0",
    "white": "#e4f1ee",
    "turquoise": "#4fd0c6",
    "purple": "#c09aec",
    "green": "#74cc8f",
    "orange": "#f79d5c",
}
GOLD, SHADE, GLOSS, CHIP_EDGE = "#f4ba36", "#2b1d0a", "#ffffff", "#fbf8f1"
SPECIAL = Glaze("#c08a1e", "#6d4a08", "#ffe9ae", "#fff6d8", "#7a5408")
MARKER = Glaze("#fdfbf5", "#a99f8a", "#23509f", "#23509f", "#17305c")


@dataclass(frozen=True)
class Theme:
    """The colours of boards, backgrounds and text."""

    ground: str
    board: str
    rim: str
    ink: str
    soft: str
    well: str
    hollow: str
    thin: str
    disc: str
    edge: str
    centre: str
    live: str
    outline: str
    gain: str
    loss: str
    badge: str
    count: str
    night: str
    day: str
    ray: str
    dusk: str


_THEMES = {  # in light, in dark
    "ground": ("#f4efe6", "#0f172d"),
    "board": ("#fbf8f1", "#172140"),
    "rim": ("#ddd2bd", "#2c3962"),  # of boards
    "ink": ("#17305c", "#eef1fb"),  # names and numbers that matter
    "soft": ("#6a5e48", "#a7b2d0"),  # the rest of the words
    "well": ("#ebe4d7", "#222e54"),  # empty places
    "hollow": ("#d2c6b0", "#34436f"),  # the shaded edge of an empty place
    "thin": ("#b3a68c", "#53639a"),  # the faint motif of an empty place
    "disc": ("#f1e9da", "#1d294e"),  # factories
    "edge": ("#cfc2a8", "#3a497a"),  # of factories
    "centre": ("#ece4d4", "#141e3b"),
    "live": ("#e8a317", "#f2b53d"),  # what is reached and what counts now
    "outline": ("#a36a06", "#f2b53d"),  # whose turn, what may be picked, what is selected or has the focus
    "gain": ("#27733f", "#7ad79a"),
    "loss": ("#b0371f", "#f5927a"),
    "badge": ("#17305c", "#eef1fb"),
    "count": ("#ffffff", "#0f172d"),  # on badges
    "night": ("#27345c", "#0a1023"),  # the moon's half of a factory
    "day": ("#fdf5e0", "#2c3866"),  # the sun's half
    "ray": ("#dba53c", "#d9a441"),
    "dusk": ("#b4bddb", "#a7b2d0"),  # words on the moon's half
}
LIGHT, DARK = (Theme(*colours) for colours in zip(*_THEMES.values(), strict=True))

SERIF = '"Iowan Old Style","Palatino Linotype",Palatino,Georgia,"DejaVu Serif",serif'
SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif'

# What is the same in both themes. The last lines are for a page: it puts the classes can (may be picked), held (is
# picked), ghost (a tile that is not there yet) and faded (a tile about to go) on places and tiles.
_SHAPES = f"""
text{{font-family:{SANS};white-space:pre}}
.serif{{font-family:{SERIF};font-weight:700}}
.strong{{font-weight:700}}
.same{{visibility:hidden}}
.cost{{font-weight:700;text-anchor:middle}}
.frame{{stroke-width:3;fill-opacity:.16}}
.disc,.board{{stroke-width:1.5}}
.turn{{stroke-width:3}}
.stitch{{fill:none;stroke-dasharray:1 6;stroke-linecap:round;stroke-width:1.5}}
.thin{{fill:none;stroke-width:2.6;stroke-linejoin:round;stroke-linecap:round}}
.well{{stroke-width:2.5}}
.rim{{fill:none;stroke-width:1.5}}
.ray{{fill:none;stroke-width:2;stroke-linecap:round}}
.plate{{stroke-width:1.5}}
.crown{{fill:none;stroke-width:5;stroke-linejoin:round}}
.empty{{fill:none;stroke-dasharray:6 5;stroke-width:1.5}}
.fine{{fill:none;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}}
.ring{{fill:none;stroke:none;stroke-width:3;stroke-linejoin:round;vector-effect:non-scaling-stroke;pointer-events:all}}
.hit{{fill:none;pointer-events:all}}
.can{{cursor:pointer}}
.can>.ring{{stroke-dasharray:7 5}}
.can:hover>.ring,.can:focus-visible>.ring,.held>.ring{{stroke-dasharray:none;stroke-width:4}}
.can:focus,.held:focus{{outline:none}}
.ghost{{opacity:.55}}
.faded{{opacity:.3}}
"""

# Which colour of the theme goes where: selector, property, colour.
_COLOURED = (
    (".ground", "fill", "ground"),
    (".board,.plate", "fill", "board"),
    (".board,.plate", "stroke", "rim"),
    (".turn,.frame", "stroke", "outline"),
    ("text,.words", "fill", "soft"),
    (".ink", "fill", "ink"),
    (".gain", "fill", "gain"),
    (".loss", "fill", "loss"),
    (".live,.frame", "fill", "live"),
    (".badge", "fill", "badge"),
    (".count", "fill", "count"),
    (".well", "fill", "well"),
    (".well", "stroke", "hollow"),
    (".mark", "fill", "hollow"),
    (".empty,.thin,.fine", "stroke", "thin"),
    (".disc", "fill", "disc"),
    (".disc,.stitch,.rim", "stroke", "edge"),
    (".centre", "fill", "centre"),
    (".night", "fill", "night"),
    (".day", "fill", "day"),
    (".ray,.crown", "stroke", "ray"),
    (".dusk", "fill", "dusk"),
    (".can>.ring,.held>.ring", "stroke", "outline"),
)


def _scoped(root: str, selectors: str) -> str:
    return ",".join(f"{root} {selector}" for selector in selectors.split(","))


def colours(root: str, theme: Theme) -> str:
    """The colours of pictures inside a root, a selector, as rules of a stylesheet."""
    values = asdict(theme)
    text = "".join(f"{_scoped(root, where)}{{{what}:{values[colour]}}}" for where, what, colour in _COLOURED)
    for name, glaze in GLAZES.items():  # what an empty place that waits for a colour has of it
        edge, ink = (glaze.face, glaze.deep) if theme is LIGHT else (GLOWS[name], GLOWS[name])
        if theme is LIGHT and name == "white":
            edge = glaze.light  # white shows on nothing
        tint = _mixed(theme.well, edge, 0.1 if theme is LIGHT else 0.16)
        text += f"{root} .edge-{name}{{stroke:{edge};stroke-opacity:.6}}{root} .ink-{name}{{fill:{ink}}}"
        text += f"{root} .tint-{name}{{fill:{tint}}}"
    # A black tile's edge, light on deep indigo. Copies inherit; other rules of the stylesheet do not reach into them.
    return f"{root}{{color:{GLAZES['black'].side if theme is LIGHT else GLOWS['black']}}}" + text


def _mixed(ground: str, colour: str, share: float) -> str:
    """A colour between two, `#rrggbb` each."""
    pairs = ((int(ground[k : k + 2], 16), int(colour[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@cache
def stylesheet(theme: str | None = None) -> str:
    """The stylesheet of a theme, or of all themes, so that one file serves every picture on a page."""
    rules = [line.partition("{") for line in _SHAPES.strip().split("\n")]
    text = "".join(f"{_scoped('.azulejos', where)}{{{what}" for where, _, what in rules)
    if theme in (None, "light"):
        text += colours(".azulejos.light", LIGHT)
    if theme in (None, "dark"):
        text += colours(".azulejos.dark", DARK)
    if theme in (None, "auto"):
        text += colours(".azulejos.auto", LIGHT)
        text += f"@media(prefers-color-scheme:dark){{{colours('.azulejos.auto', DARK)}}}"
    return text
