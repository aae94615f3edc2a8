"""Every lesson played to the end in a browser, in each language, on a desktop and on a phone, with contact sheets.

python bench/lessons.py [FOLDER] [--only WORD …] [--theme dark] [--times]

`--only`: a run that has all of these words, such as `duel fr phone`. Pictures and sheets are in .cache/lessons: each
step's words before anything is picked, each half of a move, and what is said when it is done. What is out of sight when
it is wanted is listed. `--times`: only how long a new visitor needs from the start page to the first lesson's first
action.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from matrix import DEVICES, FLAGS  # noqa: E402
from tests.server.conftest import Running  # noqa: E402
from tests.web.test_lessons import play, press  # noqa: E402

import azulejos as az  # noqa: E402
from azulejos.core.language import LANGUAGES  # noqa: E402

SCALES = {"desktop": (0.6, 2, 3), "phone": (2 / 3, 6, 2)}  # a picture's size on a sheet, pictures across and down
# The marked places, and then those that can be picked now: which of them no finger reaches without scrolling?
UNSEEN = """(places) => places.filter((place) => {
    const element = document.getElementById(place) ?? document.querySelector(`[data-place="${place}"]`);
    const part = element?.querySelector(".tile, .ring") ?? element;
    if (!part) return true;
    const { x, y, width, height } = part.getBoundingClientRect();
    const over = document.elementFromPoint(x + width / 2, y + height / 2);
    return !over || !over.closest("#board, #words-choices");
})"""
CUT = """() => [...document.querySelectorAll("#told, #said, #wrong, #status, #preview")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
    .map((one) => one.id || one.className)"""


class Camera:
    """Takes the pictures of a run, and notes what is wrong to see."""

    def __init__(self, page: Page, folder: Path, run: str) -> None:
        self.page, self.folder, self.run = page, folder, run
        self.files: list[Path] = []
        self.faults: list[str] = []

    def look(self, name: str, *places: str) -> None:
        """A picture; `places`: what must be in sight."""
        self.page.wait_for_timeout(60)
        file = self.folder / f"{self.run}-{len(self.files):03}-{name}.png"
        self.page.screenshot(path=file)
        self.files.append(file)
        wrong = [f"{place} is out of sight" for place in self.page.evaluate(UNSEEN, list(places))]
        wrong += [f"{part} is cut" for part in self.page.evaluate(CUT)]
        self.faults += [f"{file.stem}: {words}" for words in wrong]

    def sheets(self, device: str) -> None:
        scale, across, down = SCALES[device]
        width, height = (round(DEVICES[device]["viewport"][side] * scale) for side in ("width", "height"))
        for first in range(0, len(self.files), across * down):
            files = self.files[first : first + across * down]
            sheet = Image.new("RGB", (across * (width + 6), -(-len(files) // across) * (height + 6)), "magenta")
            for k, file in enumerate(files):
                with Image.open(file) as picture:
                    fitted = picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
                sheet.paste(fitted, (k % across * (width + 6), k // across * (height + 6)))
            sheet.save(self.folder / f"sheet-{self.run}-{first // (across * down) + 1}.png")


def play_all(browser: Browser, address: str, folder: Path, game: str, language: str, device: str, theme: str) -> Camera:
    """All lessons of a game, one after another."""
    context = browser.new_context(base_url=address, locale=language, color_scheme=theme, **DEVICES[device])  # type: ignore[arg-type]
    context.add_init_script("localStorage.setItem('azulejos-settings', JSON.stringify({ speed: '0' }))")
    page = context.new_page()
    camera = Camera(page, folder, f"{game}-{language}-{device}-{theme}")
    lessons = az.registered()[game].lessons()
    page.goto(f"/learn/{game}/{lessons[0].name}")
    for number, lesson in enumerate(lessons):
        play(page, lesson, camera.look)
        if number + 1 < len(lessons):
            page.locator("#next").click()
    context.close()
    camera.sheets(device)
    return camera


def first_action(browser: Browser, address: str, game: str) -> tuple[float, float]:
    """Seconds from opening the start page until the first lesson can be played on, and until it was."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    begun = time.perf_counter()
    page.goto("/")
    page.locator(".entry a[href='/learn']").click()
    page.locator(f"[data-lessons={game}] .go").click()
    page.wait_for_selector("#board .can")
    ready = time.perf_counter() - begun
    lesson = az.registered()[game].lessons()[0]
    state = az.parse(lesson.position)
    action = next(one for one in state.actions if lesson.steps[0].expects(str(one)))
    for pick in state.game.picks(state, int(action)):
        press(page, pick.place)
    page.wait_for_selector("#go:visible")
    played = time.perf_counter() - begun
    context.close()
    return ready, played


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / ".cache" / "lessons")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--times", action="store_true")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is needed for pictures")
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Running(Path(data), "--limit=posts=0", "--limit=requests=0")
        try:
            games = [game for game, kind in az.registered().items() if kind.lessons()]
            for game in games:
                server.wait_until_ready(game)
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            for game in games if chosen.times else ():
                times = [first_action(browser, server.address, game) for _ in range(5)]
                ready, played = (statistics.median(some) for some in zip(*times, strict=True))
                said = f"{ready:.2f} s until the board can be played on, {played:.2f} s until it was"
                print(f"{game}: two clicks, {said}; at most {max(some[1] for some in times):.2f} s")
            faults = 0
            for run in product(games, LANGUAGES, SCALES) if not chosen.times else ():
                if not set(chosen.only) <= set(run):
                    continue
                begun = time.perf_counter()
                camera = play_all(browser, server.address, chosen.folder, *run, chosen.theme)
                print(f"{' '.join(run)}: {len(camera.files)} pictures, {time.perf_counter() - begun:.0f} s", flush=True)
                print("".join(f"  {fault}\n" for fault in camera.faults), end="", flush=True)
                faults += len(camera.faults)
            browser.close()
        finally:
            server.stop()
    if faults:
        sys.exit(f"{faults} faults")


if __name__ == "__main__":
    main()
