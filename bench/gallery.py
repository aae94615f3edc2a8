"""The gallery of the documentation site: every game, theme, layout and variant, into docs/gallery.md and docs/gallery/.

python bench/gallery.py
"""

import shutil
from pathlib import Path

import azulejos as az
from azulejos.players import Greedy

DOCS = Path(__file__).parent.parent / "docs"
NAMES = ["Ana", "Ben", "Cleo", "Dan"]


def middle(game: az.Game, seed: int = 11) -> az.State:
    """A position of the third round, three actions in, between greedy players."""
    player, state, played = Greedy(seed), game.start(seed=seed), 0
    while played < 3 and not state.over:
        state = state.play(player.choose(state).action)
        played += state.round >= 3
    return state


def main() -> None:
    shutil.rmtree(DOCS / "gallery", ignore_errors=True)
    (DOCS / "gallery").mkdir()
    page = ["# Gallery", "", "Every position can be drawn wide or tall, light or dark: see [drawing](drawing.md)."]

    def add(game: az.Game, words: str, theme: str = "light", layout: str = "wide") -> None:
        file = DOCS / "gallery" / f"{game.name}-{words.replace(' ', '-').replace(',', '-')}.svg"
        names = NAMES[: game.players]
        file.write_text(game.draw(middle(game), names=names, theme=theme, layout=layout), encoding="utf-8")
        page.extend(["", f"### {words.capitalize()}", "", f"![{game.title}, {words}](gallery/{file.name})"])

    for name, cls in az.registered().items():
        plain = az.make(name)
        page.extend(["", f"## {plain.title}"])
        add(plain, "light")
        add(plain, "dark", theme="dark")
        add(plain, "phone", layout="tall")
        for option in cls.options:
            for value in option.choices:
                game = az.make(name, **{option.name: value})
                if game != plain:
                    add(game, f"{option.name} {value}")
    (DOCS / "gallery.md").write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
