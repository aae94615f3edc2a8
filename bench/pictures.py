"""Pictures of the three tables for the README: desktop and phone, light and dark, each in the middle of a pick.

python bench/pictures.py [FOLDER]
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, sync_playwright
from websockets.sync.client import connect

import azulejos as az
from azulejos.players import PLAYERS

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
ROOM = "document.getElementById('room').dataset"
MINE = f"() => {ROOM}.phase === 'over' || ({ROOM}.turn === 'mine' && document.querySelector('.can, [data-place]'))"
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 860}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
WANTED = {"azul": (4, "drafting", 20), "pavilion": (4, "decorating", 14), "duel": (4, "acquisition", 24)}


def play(address: str, game: str) -> tuple[str, str, list[str]]:
    """To the middle of a game against the computer, as a greedy player would: until a round, in a phase, with a choice.

    The table, the visitor's cookie, and the picks of the best action.
    """
    with httpx.Client(base_url=address) as visitor:
        visitor.get("/").raise_for_status()
        table = visitor.post("/tables", data={"game": game, "player": "greedy"}).headers["location"]
        cookie = visitor.cookies["azulejos"]
    socket_address = f"{address.replace('http', 'ws', 1)}{table}/socket?layout=wide"
    player, (in_round, phase, choices), position = PLAYERS["greedy"](5), WANTED[game], 0
    with connect(socket_address, additional_headers={"cookie": f"azulejos={cookie}"}, max_size=2**22) as socket:
        while True:
            now = json.loads(socket.recv(timeout=60)).get("now", {})
            if not now.get("actions") or now["position"] == position:
                continue
            if now["round"] >= in_round and now["state"]["phase"] == phase and len(now["actions"]) >= choices:
                best = max(now["choices"], key=lambda choice: (choice["preview"]["projected"], len(choice["picks"])))
                return table, cookie, [pick["place"] for pick in best["picks"]]
            position = now["position"]
            choice = player.choose(az.parse(now["text"])).action
            command = {"type": "play", "seat": now["turn"], "action": str(choice), "position": position}
            socket.send(json.dumps({"id": position, "command": command}))
            time.sleep(0.2)  # a table hears 100 messages in 20 seconds


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is needed for pictures")
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port", "0", "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        try:
            take_all(chromium, found[0].rstrip("/"), folder)
        finally:
            server.terminate()
            server.wait()


def take_all(chromium: str, address: str, folder: Path) -> None:
    while not all(httpx.get(f"{address}/ready").json().values()):
        time.sleep(0.5)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(address)
        page.screenshot(path=folder / "start.png", full_page=True)
        shrink(folder / "start.png")
        for game in WANTED:
            table, cookie, picks = play(address, game)
            for size, options in SIZES.items():
                for theme in ("light", "dark"):
                    context = browser.new_context(**options, color_scheme=theme)
                    context.add_cookies([{"name": "azulejos", "value": cookie, "url": address}])
                    take(context, address + table, folder / f"{game}-{size}-{theme}.png", picks)
                    context.close()
        browser.close()


def take(context: BrowserContext, address: str, file: Path, picks: list[str]) -> None:
    """A table, in the middle of a pick."""
    context.add_init_script("localStorage.setItem('azulejos-settings', JSON.stringify({speed: '0'}))")
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(MINE)
    for place in picks[:-1]:
        touch(page, place).click(force=True)
        page.wait_for_timeout(100)
    last = touch(page, picks[-1])
    if page.evaluate("matchMedia('(pointer: coarse)').matches") and last.get_attribute("data-place") is None:
        last.tap(force=True)  # a finger does not hover; what it touches waits to be confirmed
    else:
        last.hover(force=True)
    page.wait_for_timeout(300)
    page.screenshot(path=file)
    shrink(file)
    print(file)


def shrink(file: Path) -> None:
    """256 colours are enough for what we draw, and a third of the size."""
    with Image.open(file) as picture:
        few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(file, optimize=True)


def touch(page: Page, place: str) -> Locator:
    found = page.locator(f"[id='{place}'], [data-place='{place}']").first
    inside = found.locator(".tile")
    return inside.first if inside.count() else found


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs" / "pictures")
