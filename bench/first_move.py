"""From the first page to the first move against the computer, in a real browser on a warm install.

python bench/first_move.py [VISITORS]

Each visitor is new. The first comes as soon as the server listens, before it has loaded the rules, and is shown alone.
"""

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import Browser, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
ROOM = "document.getElementById('room').dataset"


def visit(browser: Browser, address: str) -> float:
    """Seconds until the server has taken the first move."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    begun = time.perf_counter()
    page.goto("/")
    page.locator("[data-game=azul] .quick button:enabled").click()
    page.wait_for_function(f"() => document.getElementById('room') && {ROOM}.turn === 'mine'")
    before = page.evaluate(f"{ROOM}.position")
    page.locator(".factory .can .tile").first.click(force=True)
    page.locator(".line.can").first.click()
    page.wait_for_function(f"before => {ROOM}.position !== before", arg=before)
    seconds = time.perf_counter() - begun
    context.close()
    return seconds


def main(visitors: int) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is needed to visit pages")
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        command = [sys.executable, "-m", "azulejos.cli", "serve", "--no-browser", "--port=0", f"--data={data}"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        try:
            first, *times = [visit(browser, found[0]) for _ in range(1 + visitors)]
        finally:
            server.terminate()
            server.wait()
            browser.close()
    print(f"{first:.2f} s as soon as the server listens")
    print(f"{statistics.median(times):.2f} s later (median of {visitors}; at most {max(times):.2f} s)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
