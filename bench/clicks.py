"""How soon the analysis page answers clicks while the engine thinks in four workers.

python bench/clicks.py [CLICKS]

Each click turns the table; the time runs from the browser's own time stamp of the click until the page's
script has handled it, and until the next frame is drawn; while four workers think, and then while they wait.
"""

import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

WATCH = """() => {
    window.handled = []; window.drawn = [];
    document.getElementById("flip").addEventListener("click", (event) => {
        handled.push(performance.now() - event.timeStamp);
        requestAnimationFrame(() => requestAnimationFrame(() => drawn.push(performance.now() - event.timeStamp)));
    });
}"""
FOUR = "Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 4 })"


def main() -> None:
    clicks = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = subprocess.Popen([*command, f"--data={folder}"], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = chromium.new_page(base_url=found[0])
            page.add_init_script(FOUR)
            page.goto("/analysis")
            page.locator(".new-game[data-game=azul] button").click(timeout=120_000)
            page.locator("#best li").first.wait_for(timeout=120_000)
            page.evaluate(WATCH)
            for thinking in (True, False):
                page.evaluate("() => { handled.length = drawn.length = 0 }")
                for _click in range(clicks):
                    page.locator("#flip").click()
                    page.wait_for_timeout(100)
                for name in ("handled", "drawn"):
                    times = sorted(page.evaluate(name))
                    median, most = statistics.median(times), times[int(0.95 * len(times))]
                    what = f"{len(page.workers)} workers that {'think' if thinking else 'wait'}"
                    print(f"{name}: median {median:.1f} ms, 95 % within {most:.1f} ms; {clicks} clicks, {what}")
                page.locator("#think").click()
            chromium.close()
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
