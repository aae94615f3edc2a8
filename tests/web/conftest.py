"""Real browsers at a real server. Without Chromium they are skipped, but in CI they fail."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from ..server.conftest import Running, server

__all__ = ["server"]

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        message = "THE PAGES WERE NOT TESTED: there is no chromium on this machine"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, server: Running) -> Iterator[Visit]:
    """A new visitor's page. Whatever the browser complains of fails the test, the content policy's complaints too."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def come(path: str = "/", speed: str | None = "0", **options: Any) -> Page:
        options.setdefault("viewport", {"width": 1280, "height": 800})
        context = browser.new_context(base_url=server.address, **options)
        context.set_default_timeout(20_000)
        if speed is not None:
            context.add_init_script(
                f"localStorage.getItem('azulejos-settings') ||"
                f" localStorage.setItem('azulejos-settings', JSON.stringify({{speed: '{speed}'}}))"
            )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.extend([message.text] * (message.type == "error")))
        page.goto(path)
        return page

    yield come
    for context in contexts:
        context.close()
    expected = ("net::ERR_INTERNET_DISCONNECTED", "WebSocket connection", "status of 400")
    assert [text for text in complaints if not any(words in text for words in expected)] == []
