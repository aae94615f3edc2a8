"""No text is left untranslated, and no translation is left without its text."""

import ast
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import azulejos as az
from azulejos.core.language import LANGUAGES, Catalogue, _, catalogue, language, ngettext, speaking, typeset
from azulejos.drawing.scene import LAYOUTS
from azulejos.games.azul import tables as azul
from azulejos.games.duel import tables as duel
from azulejos.games.pavilion import tables as pavilion
from azulejos.players import LEVELS, PLAYERS
from azulejos.players.names import NAMES
from azulejos.server.live.names import offered
from azulejos.server.pages.rules import texts

SOURCE = Path(az.__file__).parent
OTHERS = [name for name in LANGUAGES if name != "en"]


def said_in_code() -> Iterator[tuple[str, str]]:
    """(context, text) of every `_("…")` and `N_("…")`; singulars of `ngettext` with the context "plural"."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            first = node.args[0]
            if not isinstance(first, ast.Constant):
                continue
            if node.func.id == "ngettext":
                yield "plural", str(first.value)
            elif node.func.id in ("_", "N_"):
                context = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else ""
                yield str(context), str(first.value)


def said_in_pages() -> Iterator[tuple[str, str]]:
    for file in (SOURCE / "server" / "pages" / "templates").rglob("*.html"):
        for found in re.finditer(r"""\b_\(\s*(["'])(.+?)\1\s*\)""", file.read_text(encoding="utf-8")):
            yield "", found[2]


def said_from_tables() -> Iterator[tuple[str, str]]:
    """Words that stand in the games' tables."""
    for name, layout in (("azul", azul), ("pavilion", pavilion), ("duel", duel)):
        yield from ((name, colour) for colour in layout.COLOURS)
    yield from (("star", star) for side in pavilion.STAR_NAMES for star in side)
    yield from (("duel", word) for word in duel.SIDE_WORDS.values())
    yield from (("", word) for word in duel.CORNER_WORDS)
    yield from (("player", name) for name in NAMES)
    yield from (("", kind.title) for kind in az.registered().values())
    yield from ((kind.name, text) for kind in az.registered().values() for text in texts(kind))
    yield from (("", thing.words) for kind in az.registered().values() for thing in kind.objects())
    for kind in az.registered().values():
        yield from ((kind.name, tip.words) for tip in kind.tips())
        for lesson in kind.lessons():
            yield kind.name, lesson.title
            for step in lesson.steps:
                said = (step.words, step.done, *(words for _fits, words in step.wrong))
                yield from ((kind.name, words) for words in said if words)


ALL = sorted({*said_in_code(), *said_in_pages(), *said_from_tables()})


@pytest.mark.parametrize("name", OTHERS)
def test_no_text_is_untranslated(name: str) -> None:
    spoken = catalogue(name)
    missing = [
        (context, text)
        for context, text in ALL
        if not (
            spoken.plurals.get(text)
            if context == "plural"
            else spoken.texts.get((context, text), "") or spoken.texts.get(("", text))
        )
    ]
    assert missing == []


@pytest.mark.parametrize("name", OTHERS)
def test_translations_keep_what_is_filled_in(name: str) -> None:
    spoken = catalogue(name)
    for (_context, text), translated in spoken.texts.items():
        assert fields(translated) == fields(text), translated
    for text, forms in spoken.plurals.items():
        assert len(forms) == spoken.plural(0) + 1 or len(forms) == 1 + max(map(spoken.plural, range(200)))
        for form in forms:
            assert fields(form) == fields(text), form


def fields(text: str) -> set[str]:
    return {field for _literal, field, _spec, _conversion in string.Formatter().parse(text) if field}


@pytest.mark.parametrize("name", OTHERS)
def test_no_translation_is_without_its_text(name: str) -> None:
    texts = {text for _context, text in ALL} | {"marker", "special"}
    spoken = catalogue(name)
    unused = [text for _context, text in spoken.texts if text not in texts]
    assert unused + [text for text in spoken.plurals if text not in texts] == []


def test_scripts_say_only_what_the_page_gives_them() -> None:
    from azulejos.server.pages.words import TEXTS

    said = set()
    for file in (SOURCE / "server" / "pages" / "static").glob("*.js"):
        said |= set(re.findall(r"""\bsay\(\s*"([^"]+)\"""", file.read_text(encoding="utf-8")))
    assert said == set(TEXTS)


# --- nothing is said past the catalogues ---

SENTENCE = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")
FOR_HOSTS = ("__init__", "commands", "host", "messages", "metrics", "openapi", "styles")
# Before a text of a script.
FOR_MACHINES = r"(?:seatFor|may)\((?:now|fresh),|\bsay\(|Error\(|type:|class:|className =|All\(|kind [!=]==|reason ==="
TRANSLATED = {"_", "N_", "ngettext"}
FOR_PROGRAMS = {"AssertionError", "OptionError", "RuntimeError", "answer", "get", "post", "query", "path", "form"}


def written(node: ast.AST) -> str:
    """The text that stands in the code, without what is filled in."""
    if isinstance(node, ast.JoinedStr):
        return " ".join(written(part) for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def quiet(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that nobody who visits a page reads."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if name in TRANSLATED | FOR_PROGRAMS:
            return [*args]
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log")), args=args, keywords=keywords):
            return [*args, *keywords]
        case ast.Expr(value=ast.Constant() as docstring):
            return [docstring]
        case ast.Assert(msg=ast.expr() as message):
            return [message]
        case ast.ClassDef(keywords=keywords):
            return [*keywords]
        case ast.Dict(keys=keys, values=values):
            named = zip(keys, values, strict=True)
            return [value for key, value in named if isinstance(key, ast.Constant) and key.value == "description"]
        case ast.JoinedStr(values=values):
            return [*values]
    return []


@pytest.mark.parametrize("folder", ["server/live", "server/pages", "tables"])
def test_the_server_says_nothing_untranslated(folder: str) -> None:
    found = []
    for file in (SOURCE / folder).glob("*.py"):
        if file.stem in FOR_HOSTS:
            continue
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        unread = {id(part) for node in nodes for whole in quiet(node) for part in ast.walk(whole)}
        for node in nodes:
            text = "" if id(node) in unread else re.sub("<[^>]*>", " ", written(node))
            if SENTENCE.search(text) and " | " not in text:  # no position
                found.append(f"{file.name}: {text}")
    assert found == []


def test_pages_say_nothing_untranslated() -> None:
    found = []
    for file in (SOURCE / "server" / "pages" / "templates").glob("*.html"):
        text = re.sub(
            r"\{% block kind %\}[\w -]+|\{%.*?%\}|\{\{.*?\}\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        found += re.findall(r'(?:alt|aria-label|placeholder|title)="[^"]*[^\W\d_][^"]*"', text)
        found += re.findall(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>", " ", text))
    assert set(found) <= {"azulejos", 'aria-label="azulejos"'}


def test_scripts_say_nothing_untranslated() -> None:
    found = []
    for file in (SOURCE / "server" / "pages" / "static").glob("*.js"):
        text = re.sub(r"^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        text = re.sub(rf'(?:{FOR_MACHINES})\s*"[^"]*"', "", text)
        found += re.findall(r'(?:"aria-label"|placeholder|title): ["`]', text)
        for literal in re.findall(r'"[^"\n]*"|`[^`]*`', text):
            if SENTENCE.search(re.sub(r"\$\{[^}]*\}", "", literal)):
                found.append(literal)
    assert found == []


def test_plural_rules() -> None:
    with speaking("uk"):
        forms = [ngettext("{n} tile", "{n} tiles", n) for n in (1, 2, 5, 11, 21, 22, 25)]
        assert forms == [f"{{n}} плит{end}" for end in ("ка", "ки", "ок", "ок", "ка", "ки", "ок")]
    with speaking("fr"):
        assert [ngettext("{n} tile", "{n} tiles", n) for n in (0, 1, 2)] == ["{n} tuile", "{n} tuile", "{n} tuiles"]
    assert [ngettext("{n} tile", "{n} tiles", n) for n in (0, 1, 2)] == ["{n} tiles", "{n} tile", "{n} tiles"]


def test_a_context_decides_between_words() -> None:
    with speaking("uk"):
        assert _("blue", "duel") == "синя"
        assert _("blue", "azul") == "блакитна"
        assert _("turquoise", "duel") == "бірюзова"


def test_a_language_that_nobody_speaks_is_refused_and_speaking_ends() -> None:
    with pytest.raises(az.OptionError, match="there is no language 'xx'"), speaking("xx"):
        pass
    with speaking("cs"):
        assert language() == "cs"
    assert language() == "en"


def test_po_files_are_read_with_comments_escapes_and_long_lines() -> None:
    read = Catalogue(
        '# said\nmsgid ""\nmsgstr "Plural-Forms: nplurals=1; plural=0;\\n"\n\nmsgid "a\\"b"\nmsgstr ""\n"c"\n"d"\n'
        'msgctxt "x"\nmsgid "e"\nmsgstr "f"\n'
    )
    assert read.texts == {("", 'a"b'): "cd", ("x", "e"): "f"}
    assert read.plural(7) == 0


def test_no_line_breaks_before_a_french_colon_or_after_a_word_of_one_letter() -> None:
    assert typeset("« Azul » : 3 !", "fr") == "«\u202fAzul\u202f»\u202f: 3\u202f!"
    assert typeset("V řadě k desce", "cs") == "V\u00a0řadě k\u00a0desce"
    assert typeset("хід з центру й до підлоги", "uk") == "хід з\u00a0центру й\u00a0до підлоги"
    assert typeset("a : b", "en") == "a : b"
    for name in OTHERS:
        assert [text for text in catalogue(name).texts.values() if text != typeset(text, name)] == []


def test_every_player_can_be_offered() -> None:
    assert set(offered()) == set(PLAYERS) == set(NAMES)
    assert list(offered())[: len(LEVELS)] == [level.name for level in LEVELS]


@pytest.mark.parametrize("kind", az.registered().values(), ids=lambda kind: kind.name)
def test_games_speak_ukrainian(kind: type[az.Game]) -> None:
    """No Latin letters are left in anything that is said of a game: what English words are made of."""
    game = kind()
    chooser, state, said = random.Random(3), game.start(seed=3), set[str]()
    with speaking("uk"):
        while not state.over:
            action = chooser.choice(state.actions)
            said |= set(said_of(game, state, action, chooser))
            state = state.play(action)
        said |= set(drawn(game.draw(state, styled=False)))
    assert [text for text in said if re.search("[A-Za-z]{2}", text)] == []


def said_of(game: az.Game, state: az.State, action: az.Action, chooser: random.Random) -> Iterator[str]:
    """All that a table says of a position and what is done in it; now and then its picture too."""
    yield from (game.ask(state), game.notice(state), action.words, game.secret(int(action)) or "")
    for pick in game.picks(state, int(action)):
        yield from (pick.words, pick.asks)
    yield from (closed.why for closed in game.closed(state))
    yield from (preview.words for preview in game.previews(state))
    story = game.story(state, action)
    yield from (step.words or "" for step in game.steps(state, story))
    yield from (found[0] for event in story if (found := game.points_of(event)))
    if not chooser.randrange(8):
        yield from drawn(game.draw(state, styled=False, layout=chooser.choice(LAYOUTS)))


def drawn(picture: str) -> list[str]:
    """What is written in a picture, and what a screen reader says of it."""
    return re.findall(r'aria-label="([^"]*)"', picture) + re.findall(r">([^<]+)<", picture)


# --- one word a thing ---

# (context, English) and its Ukrainian, Czech and French words, which every text has that names the thing.
GLOSSARY = {
    ("", "Azul: Summer Pavilion"): ("Азул: Літній палац", "Azul: Letohrádek", "Azul\u202f: Pavillon d’été"),
    ("", "Azul Duel"): ("Азул: Дуель", "Azul Duel", "Azul Duel"),
    ("azul", "factory {number}"): ("вітрина {number}", "dílna {number}", "fabrique {number}"),
    ("duel", "factory {number}"): ("фабрика {number}", "dílna {number}", "fabrique {number}"),
    ("", "the centre"): ("центр столу", "střed stolu", "centre de la table"),
    ("", "start marker"): ("маркер першого ходу", "žeton začínajícího hráče", "marqueur Premier Joueur"),
    ("", "start token"): ("маркер першого ходу", "žeton začínajícího hráče", "marqueur Premier Joueur"),
    ("", "start tile"): ("плитка першого ходу", "dlaždice začínajícího hráče", "tuile Premier Joueur"),
    ("azul", "line {line}"): ("ряд складу {line}", "přípravná řada {line}", "ligne Motif {line}"),
    ("duel", "line {line}"): ("рядок {line} на складі", "přípravná řada {line}", "ligne Motif {line}"),
    ("", "the floor"): ("підлога", "podlaha", "plancher"),
    ("azul", "row {row}, column {column}"): (
        "горизонталь {row}, вертикаль {column}",
        "řada {row}, sloupec {column}",
        "ligne {row}, colonne {column}",
    ),
    ("duel", "row {row}, column {column}"): (
        "рядок {row}, колонка {column}",
        "řada {row}, sloupec {column}",
        "ligne {row}, colonne {column}",
    ),
    ("azul", "bag"): ("торбинка", "pytlík", "sac"),
    ("duel", "bag"): ("мішечок", "pytlík", "sac"),
    ("", "lid"): ("коробка", "víko", "couvercle"),
    ("", "tower"): ("вежа", "věž", "tour"),
    ("", "pass"): ("пропустити хід", "pasovat", "passer"),
    ("", "passed"): ("пропуск", "pas", "passé"),
    ("", "special plate"): ("спеціальна пластина", "ozdobná destička", "plaque spéciale"),
    ("", "joker plate"): ("пластина-джокер", "mozaiková destička", "plaque joker"),
    ("", "the moons"): ("місяці", "měsíce", "lunes"),
    ("", "outer ring"): ("периметр", "okrajová políčka", "cases extérieures"),
    ("azul", "blue"): ("блакитна", "modrá", "bleu"),
    ("duel", "blue"): ("синя", "modrá", "bleu"),
    ("duel", "turquoise"): ("бірюзова", "tyrkysová", "turquoise"),
    ("star", "blue"): ("блакитна", "modrá", "bleue"),
    ("star", "centre"): ("центральна", "prostřední", "centrale"),
    ("player", "beginner"): ("початківець", "nováček", "débutant"),
    ("", "Log"): ("Хід гри", "Průběh hry", "Journal"),
    ("", "Hint"): ("Підказка", "Rada", "Conseil"),
    ("", "The host's secret"): ("Пароль адміністратора", "Tajné slovo správce", "Mot de passe de l’administrateur"),
}


@pytest.mark.parametrize(("place", "name"), [*enumerate(OTHERS)])
def test_the_glossary_is_kept(place: int, name: str) -> None:
    with speaking(name):
        said = {(context, text): _(text, context).replace("\u00a0", " ") for context, text in GLOSSARY}
    assert said == {thing: words[place] for thing, words in GLOSSARY.items()}


# What the glossary has another word for, by language: as it begins.
AVOIDED = {
    "uk": r"павільйон|стосик|господар|кільц|секрет|комп’ютер · |пропустити$|пропустіть$|вибирають$",
    "cs": r"pavilon|stoh|sloupk|sloupek|zeď|zdi\b|úpln[áéíýo]|odkryt|utrat|utrác|barv[auy] žolíka|přítel\w*|\w+li jste"
    r"|jste \w+li\b|usedá|braní|vzat[éá]|zaplacen[oy]? \{",
    "fr": r"jeton premier|pourtour|hôte|s’asseoir|quitter la place|(?<!\w)de \{name\}|machine|gagnant|payés?\b",
}


# A step of the log stands under any name, also under "You": no verb with a person.
PERSONS = {
    "en": r"(takes|keeps|spends|pays|puts|draws|can|passes|chooses|lays|loses|wins)\b",
    "uk": r"(бере|залишає|витрачає|платить|кладе|не може|пропускає|виберіть)\b",
    "cs": r"(bere|nechává|utrácí|platí|vkládá|nemůže|pasuje|vyberte)\b",
    "fr": r"(prend|garde|dépense|paie|met|pioche|ne peut|passe|choisissez)\b",
}


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("kind", az.registered().values(), ids=lambda kind: kind.name)
def test_steps_are_said_without_a_person(kind: type[az.Game], name: str) -> None:
    game = kind()
    chooser, state, said = random.Random(5), game.start(seed=5), set[str]()
    with speaking(name):
        while not state.over:
            action = chooser.choice(state.actions)
            said |= {step.words or "" for step in game.steps(state, game.story(state, action))}
            said.add(game.secret(int(action)) or "")
            state = state.play(action)
    assert len(said) > 20
    assert [words for words in said if re.search(rf"(?:^|: |· ){PERSONS[name]}", words)] == []


@pytest.mark.parametrize("name", OTHERS)
def test_no_text_has_a_word_that_the_glossary_replaced(name: str) -> None:
    spoken, avoided = catalogue(name), re.compile(rf"(?i)(?:\b|^)(?:{AVOIDED[name]})")
    said = [*spoken.texts.values(), *(form for forms in spoken.plurals.values() for form in forms)]
    assert [found[0] for text in said if (found := avoided.search(text))] == []
