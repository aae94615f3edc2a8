"""Translation. English texts are the keys; the other languages are in `locale/*.po`.

>>> with speaking("fr"):
...     _("factory {number}").format(number=3)
'fabrique 3'
>>> with speaking("cs"):
...     [ngettext("{n} tile", "{n} tiles", n).format(n=n) for n in (1, 2, 5)]
['1 dlaždice', '2 dlaždice', '5 dlaždic']
"""

import ast
import gettext
import os
import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path

from .errors import AzulejosError, IllegalAction, IllegalDraw, OptionError, TextError

LANGUAGES = {"en": "English", "uk": "Українська", "cs": "Čeština", "fr": "Français"}
LOCALE = Path(__file__).parent.parent / "locale"

_current: ContextVar[str] = ContextVar("language", default="en")
_plural_rule = gettext.c2py  # a plural rule as .po files have it, as a function


def system_language() -> str:
    """The system's language, or English if it is not supported."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := os.environ.get(variable):
            found = [re.split("[_.@]", name)[0] for name in wanted.split(":")]
            return next((name for name in found if name in LANGUAGES), "en")
    return "en"


language: Callable[[], str] = _current.get  # asks for the current language


class speaking:  # noqa: N801
    """A context in which texts are in a language."""

    __slots__ = ("_name", "_token")

    def __init__(self, name: str) -> None:
        if name not in LANGUAGES:
            raise OptionError(f"there is no language {name!r}; there are {', '.join(LANGUAGES)}")
        self._name = name

    def __enter__(self) -> None:
        self._token = _current.set(self._name)

    def __exit__(self, *_error: object) -> None:
        _current.reset(self._token)


def _(text: str, context: str = "") -> str:
    """A text in the current language. `context`: where a word is another in one game than elsewhere."""
    return _found(_current.get(), text, context)


@lru_cache(1 << 14)
def _found(name: str, text: str, context: str) -> str:
    texts = catalogue(name).texts
    return texts.get((context, text)) or texts.get(("", text)) or text


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a text that goes with a number in the current language."""
    spoken = catalogue(_current.get())
    forms = spoken.plurals.get(one)
    if forms is None:
        return one if count == 1 else many
    return forms[spoken.plural(count)]


def say_percent(chance: float) -> str:
    return _("{percent}%").format(percent=round(100 * chance))


def say_of(what: str, how: str) -> str:
    """One thing said of another."""
    return _("{what}: {how}").format(what=what, how=how)


def N_(text: str) -> str:  # noqa: N802
    """Marks a text that is translated later."""
    return text


_KINDS: dict[type[AzulejosError], str] = {
    OptionError: N_("this choice does not exist"),
    TextError: N_("this cannot be understood"),
    IllegalAction: N_("the rules do not allow this here"),
    IllegalDraw: N_("this cannot have been drawn here"),
}


def say_error(error: AzulejosError) -> str:
    """An error as a sentence for people: in English its own message, in other languages its kind."""
    said = getattr(error, "message", str(error))
    if language() != "en":
        said = _(next((words for kind, words in _KINDS.items() if isinstance(error, kind)), N_("this cannot be done")))
    line = getattr(error, "line", None)
    return said if line is None else _("line {number}: {error}").format(number=line, error=said)


_ALONE = {"uk": "аеєиіїоуювзй", "cs": "aiksvzou"}  # words of one letter, which end no line


def typeset(text: str, language: str) -> str:
    """The text with the non-breaking spaces of its language."""
    if language == "fr":
        return re.sub(r"(?<=«) | (?=[;:!?»])", "\u202f", text)
    if language in _ALONE:
        return re.sub(rf"(?i)(?<![\w’])([{_ALONE[language]}]) ", "\\1\u00a0", text)
    return text


class Catalogue:
    """The texts of one language: `texts` by (context, English), `plurals` by the English singular."""

    def __init__(self, source: str = "", language: str = "en") -> None:
        self.language = language
        self.texts: dict[tuple[str, str], str] = {}
        self.plurals: dict[str, list[str]] = {}
        self.plural: Callable[[int], int] = _plural_rule("n != 1")
        for entry in _entries(source):
            self._add(entry)

    def _add(self, entry: dict[str, str]) -> None:
        key = entry["msgid"]
        if not key:
            rule = entry["msgstr"].partition("plural=")[2].partition(";")[0]
            self.plural = _plural_rule(rule)
        elif "msgid_plural" in entry:
            forms = [entry[f"msgstr[{k}]"] for k in range(len(entry)) if f"msgstr[{k}]" in entry]
            self.plurals[key] = [typeset(form, self.language) for form in forms]
        else:
            self.texts[entry.get("msgctxt", ""), key] = typeset(entry["msgstr"], self.language)


def _entries(source: str) -> Iterator[dict[str, str]]:
    """The entries of a .po file: keyword to text."""
    entry: dict[str, str] = {}
    keyword = ""
    for line in source.splitlines():
        line = line.strip()
        if line.startswith("#"):
            continue
        if not line:
            if entry:
                yield entry
            entry, keyword = {}, ""
        elif line.startswith('"'):
            entry[keyword] += ast.literal_eval(line)
        else:
            keyword, _, text = line.partition(" ")
            if keyword in ("msgctxt", "msgid") and "msgid" in entry:  # no empty line before it
                yield entry
                entry = {}
            entry[keyword] = ast.literal_eval(text)
    if entry:
        yield entry


@cache
def catalogue(name: str) -> Catalogue:
    """The texts of a language, read once."""
    return Catalogue() if name == "en" else Catalogue((LOCALE / f"{name}.po").read_text(encoding="utf-8"), name)
