"""Rule pages in the browser: search, links to a section, the page to print."""

import re

from playwright.sync_api import expect

from .conftest import Visit


def test_search_shows_the_sections_that_have_the_words(visit: Visit) -> None:
    page = visit("/rules/azul#marker", locale="cs")
    expect(page.locator("#marker")).to_be_in_viewport()
    total = page.locator(".rules section").count()
    page.locator("#find input").fill("zeton zacinajiciho")  # without accents
    expect(page.locator("#find [role=status]")).to_have_text(re.compile(rf"\d\s*z\s{total}$"))
    expect(page.locator("#points")).to_be_hidden()
    expect(page.locator("nav.contents a[href='#points']")).to_be_hidden()
    expect(page.locator("#marker figure")).to_be_visible()
    page.locator("#find input").fill("xyzzy")
    expect(page.locator(".rules section:visible")).to_have_count(0)
    page.evaluate("location.hash = '#floor'")  # as a link does
    expect(page.locator("#floor")).to_be_in_viewport()
    page.locator(".rules .button").click()
    expect(page.locator(".short tr")).to_have_count(9)
    expect(page.locator("#print")).to_be_visible()
