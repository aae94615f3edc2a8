"""The protocol is what its page, its schema and its example say."""

import json
import re
import subprocess
import sys
from pathlib import Path

from azulejos.server.live.messages import AnyCommand, schema, typescript
from azulejos.tables import Reason

from .client import Visitor
from .conftest import Running

DOCS = Path(__file__).parents[2] / "docs"
BOT = Path(__file__).parents[2] / "examples" / "table_bot.py"


def test_the_schema_file_is_the_codes() -> None:
    """To write it anew: python -m azulejos.server.live.messages."""
    assert json.loads((DOCS / "protocol.schema.json").read_text()) == json.loads(json.dumps(schema()))
    assert (DOCS / "protocol.d.ts").read_text() == typescript()


def test_the_page_names_every_command_and_every_reason() -> None:
    text = (DOCS / "protocol.md").read_text()
    for command in AnyCommand.__args__:
        assert f"| `{command.__struct_config__.tag}` |" in text
    for reason in Reason:
        assert f"`{reason}`" in text, reason


def test_a_bot_of_thirty_lines_plays_a_whole_game(server: Running) -> None:
    ana = Visitor(server.address)
    table = ana.open(**{"game": "azul", "seat-0": "me", "seat-1": "friend"})
    with ana.sit(table) as seat:
        word = seat.now["seats"][1]["invitation"]
        link = f"{server.address}/tables/{table}#seat=1&word={word}"
        bot = subprocess.Popen([sys.executable, str(BOT), link], stdout=subprocess.PIPE, text=True)
        while seat.now["phase"] == "open":
            seat.receive()
        while seat.wait_for_turn():
            assert seat.play()["type"] == "done"
        out, _ = bot.communicate(timeout=30)
    assert bot.returncode == 0
    assert re.search(r"\d+\s: \d+", out)
    lines = [
        line for line in BOT.read_text().splitlines() if line.strip() and not line.startswith(('"""', "import", "from"))
    ]
    assert len(lines) <= 30
