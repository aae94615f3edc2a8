"""Real browsers at a real server. Without Chromium they are skipped, but in CI they fail."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from ..server.conftest import Running

SECRET = "a secret that nobody guesses"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# What the browser may say: of a network that a test takes away, of an answer that a test asks for.
EXPECTED = ("net::ERR_INTERNET_DISCONNECTED", "WebSocket connection", "status of 400", "status of 413")
TELL_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`the policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))"""
Visit = Callable[..., Page]
PATIENCE = 60_000  # milliseconds: a busy machine is slow, and no test asserts a time
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test in a browser gets a second try, which the summary lists: once in thousands of tests a browser stumbles."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a page for its host."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "secret").write_text(SECRET)
    running = Running(folder, f"--admin={folder / 'secret'}", "--limit=posts=0")
    running.wait_until_ready()
    yield running
    running.stop()


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
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TELL_VIOLATIONS)
        if speed is not None:
            context.add_init_script(
                f"localStorage.getItem('azulejos-settings') ||"
                f" localStorage.setItem('azulejos-settings', JSON.stringify({{speed: '{speed}'}}))"
            )
        contexts.append(context)
        page = context.new_page()
        opened: set[str] = set()  # a page that is refused is complained of as if it were a part of one
        page.on("request", lambda request: opened.update([plain(request.url)] * request.is_navigation_request()))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.extend(complaint(message, opened)))
        page.goto(path)
        return page

    yield come
    for context in contexts:
        context.close()
    assert complaints == []


def complaint(message: ConsoleMessage, opened: set[str]) -> list[str]:
    if message.type != "error" or any(words in message.text for words in EXPECTED):
        return []
    return (
        []
        if "status of 4" in message.text and plain(message.location["url"]) in opened
        else [f"{message.text} {message.location['url']}"]
    )


def plain(address: str) -> str:
    return unquote(address.partition("#")[0])
