"""Every table as visitors see it: games × moments × devices × themes, with a contact sheet for each device and theme.

python bench/matrix.py [FOLDER] [--only WORD …]

`--only`: names that have all of these words, such as `pavilion phone dark`. Pictures and sheets are in .cache/matrix.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright
from websockets.sync.client import connect

import azulejos as az
from azulejos.players import PLAYERS

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
TOUCH = {"is_mobile": True, "has_touch": True}
DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 720}},
    "large": {"viewport": {"width": 1920, "height": 1080}},
    "phone": {"viewport": {"width": 390, "height": 844}, **TOUCH},
    "side": {"viewport": {"width": 844, "height": 390}, **TOUCH},
    "tablet": {"viewport": {"width": 820, "height": 1180}, **TOUCH},
    "tablet-side": {"viewport": {"width": 1180, "height": 820}, **TOUCH},
    "zoom": {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2},
}
MOMENTS = ("start", "middle", "scoring", "end")
THEMES = ("light", "dark")
TABLES = (("azul", 2), ("pavilion", 2), ("duel", 2), ("azul", 3), ("azul", 4), ("pavilion", 3), ("pavilion", 4))
ROOM = "(document.getElementById('room')?.dataset ?? {})"
SHOWN = f"() => {ROOM}.phase && document.querySelector('#board svg')"
READY = f"() => {ROOM}.phase === 'over' || document.querySelector('.can, [data-place]')"

MEASURE = (Path(__file__).parent.parent / "tests" / "web" / "measuring.js").read_text()


@dataclass
class Play:
    """A visitor's table, played from outside the browser."""

    address: str
    table: str
    cookie: str

    @classmethod
    def open(cls, address: str, game: str, players: int) -> "Play":
        with httpx.Client(base_url=address) as visitor:
            visitor.get("/").raise_for_status()
            form = {"game": game, "player": "greedy"} | ({} if game == "duel" else {"players": str(players)})
            answer = visitor.post("/tables", data=form)
            return cls(address, answer.headers["location"], visitor.cookies["azulejos"])

    def until(self, enough: Callable[[dict[str, Any]], bool], pause: float = 0) -> dict[str, Any]:
        """Play as a greedy player would, until it is this visitor's turn in such a position, or the game is over.

        `pause`: in seconds, before each action.
        """
        player, position, sent = PLAYERS["greedy"](5), -1, 0
        while True:
            with self._socket() as socket:
                for _ in range(80):  # a connection may send 100 messages in 20 seconds
                    now = json.loads(socket.recv(timeout=120)).get("now") or {}
                    while now.get("phase") != "over" and (not now.get("actions") or now["position"] == position):
                        now = json.loads(socket.recv(timeout=120)).get("now") or {}
                    if now["phase"] == "over" or enough(now):
                        return now
                    position, sent = now["position"], sent + 1
                    action = str(player.choose(az.parse(now["text"])).action)
                    command = {"type": "play", "seat": now["turn"], "action": action, "position": position}
                    time.sleep(pause)
                    socket.send(json.dumps({"id": sent, "command": command}))
            position = -1

    def _socket(self) -> Any:
        address = f"{self.address.replace('http', 'ws', 1)}{self.table}/socket"
        return connect(address, additional_headers={"cookie": f"azulejos={self.cookie}"}, max_size=2**22)

    def page(self, browser: Browser, device: str, theme: str, speed: str = "0") -> Page:
        context = browser.new_context(**DEVICES[device], color_scheme=theme)  # type: ignore[arg-type]
        context.add_cookies([{"name": "azulejos", "value": self.cookie, "url": self.address}])
        stored = json.dumps(json.dumps({"speed": speed}))
        context.add_init_script(f"localStorage.setItem('azulejos-settings', {stored})")
        page = context.new_page()
        page.goto(self.address + self.table)
        page.wait_for_function(SHOWN, timeout=120_000)
        return page


def last_tiles(now: dict[str, Any]) -> bool:
    """Is the round nearly over, in Summer Pavilion the last one, in which stars and numbers are scored?"""
    state = now["state"]
    if now["game"] == "pavilion":
        return now["round"] == 6 and state["phase"] == "decorating" and len(now["actions"]) <= 3
    lying = [dict(factory.get("sun", factory) if "chip" in factory else factory) for factory in state["factories"]]
    groups = sum(map(len, lying)) + len(state.get("centre") or state.get("large_factory", {}).get("moon", {}))
    return now["round"] >= 2 and groups <= 2


def middle(now: dict[str, Any]) -> bool:
    wanted = {"azul": (3, 20), "pavilion": (3, 12), "duel": (3, 14)}[now["game"]]
    return now["round"] >= wanted[0] and len(now["actions"]) >= wanted[1]


def shots(only: list[str]) -> Iterator[tuple[str, int, str, str, str, str]]:
    """What is wanted, several players only on desktops and phones: game, players, moment, device, theme, name."""
    for (game, players), moment, device, theme in product(TABLES, MOMENTS, DEVICES, THEMES):
        several = players > 2 or device == "zoom"
        if several and (moment != "middle" or theme == "dark" or device in ("large", "tablet-side")):
            continue
        name = f"{game}-{players}-{moment}-{device}-{theme}"
        if all(word in (game, str(players), moment, device, theme) for word in only):
            yield game, players, moment, device, theme, name


def take_all(browser: Browser, address: str, folder: Path, only: list[str]) -> None:
    wanted = list(shots(only))
    for game, players, moment in dict.fromkeys(one[:3] for one in wanted):
        play, mine = Play.open(address, game, players), [one for one in wanted if one[:3] == (game, players, moment)]
        if moment == "middle":
            play.until(middle)
        elif moment == "end":
            play.until(lambda now: False)
        if moment == "scoring":
            for *_rest, device, theme, name in mine:
                while not scoring(browser, Play.open(address, game, players), device, theme, folder / f"{name}.png"):
                    pass
            continue
        for *_rest, device, theme, name in mine:
            page = play.page(browser, device, theme)
            page.wait_for_function(READY, timeout=120_000)
            take(page, folder / f"{name}.png")


def scoring(browser: Browser, play: Play, device: str, theme: str, file: Path) -> bool:
    """While the round is scored: a page that looks on, slowly, while the last tiles are taken. False: nobody scored."""
    now = play.until(last_tiles)
    if now["phase"] == "over":
        return False
    page = play.page(browser, device, theme, "0.25")
    hands = threading.Thread(target=play.until, args=(lambda later: later["round"] > now["round"], 0.5))
    hands.start()
    try:
        page.wait_for_selector(".scored li:nth-child(2)", timeout=60_000)
    except TimeoutError:
        page.context.close()
        return False
    else:
        take(page, file)
        return True
    finally:
        hands.join()


def take(page: Page, file: Path) -> None:
    page.wait_for_timeout(250)
    page.screenshot(path=file)
    share, size, words = page.evaluate(MEASURE)
    print(f"{file.stem:40} {share:6.1%} {size:5.1f} px {words!r}", flush=True)
    page.context.close()


def sheets(folder: Path) -> None:
    """Contact sheets: the pictures of a device and a theme."""
    for device, theme in product(DEVICES, THEMES):
        files = [file for moment in MOMENTS for file in sorted(folder.glob(f"*-[234]-{moment}-{device}-{theme}.png"))]
        if not files:
            continue
        width, height = (DEVICES[device]["viewport"][side] for side in ("width", "height"))
        across = max(1, min(len(files), round(2600 / width), round((len(files) * height / width) ** 0.5 + 0.5)))
        sheet = Image.new("RGB", (across * (width + 8), -(-len(files) // across) * (height + 8)), "magenta")
        for k, file in enumerate(files):
            with Image.open(file) as picture:
                fitted = picture.convert("RGB").resize((width, height))
            sheet.paste(fitted, (k % across * (width + 8), k // across * (height + 8)))
        sheet.save(folder / f"sheet-{device}-{theme}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent.parent / ".cache" / "matrix")
    parser.add_argument("--only", nargs="*", default=[])
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is needed for pictures")
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port", "0", "--data", data]
        command += ["--limit=posts=0", "--limit=new-tables=0", "--limit=requests=0", "--limit=sockets=0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        address = found[0].rstrip("/")
        try:
            while not all(httpx.get(f"{address}/ready").json().values()):
                time.sleep(0.5)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
                take_all(browser, address, chosen.folder, chosen.only)
                browser.close()
        finally:
            server.terminate()
            server.wait()
    sheets(chosen.folder)


if __name__ == "__main__":
    main()
