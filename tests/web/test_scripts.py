"""The pages' scripts: their types, and the tree of picks without a page. Without Node they are skipped, loudly."""

import json
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

import azulejos as az
from azulejos.server.live.view import choices
from azulejos.server.pages import rendering

ROOT = Path(__file__).parents[2]
STATIC = rendering.HERE / "static"


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if not found:
        pytest.skip("THE SCRIPTS WERE NOT TESTED: node was not found on this machine")
    return found


def test_types(node: str) -> None:
    """`npm install --no-package-lock` gets the checker, once."""
    checker = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
    if not checker.exists():
        pytest.skip("THE SCRIPTS' TYPES WERE NOT CHECKED: run npm install --no-package-lock")
    for project in ("tsconfig.json", "tsconfig.engine.json"):
        done = subprocess.run([node, checker, "--project", ROOT / project], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


WALK = """
import { Picks } from "%s";
const picks = new Picks();
const choices = JSON.parse(process.argv[1]);
const made = [];
for (const choice of choices) {
  picks.offer(choices, []);
  let done = null;
  for (const { place } of choice.picks) {
    done = picks.pick(place, false)?.done ?? null;
  }
  picks.offer(choices, []);
  for (const { place } of choice.picks) picks.pick(place, true);
  const waits = picks.whole?.action ?? null;
  const again = picks.pick(choice.picks.at(-1).place, true)?.done?.action ?? null;
  picks.back();
  const back = picks.depth;
  made.push([choice.action, done?.action ?? null, waits, again, back, picks.pick("nowhere", false)]);
}
console.log(JSON.stringify(made));
"""


KEEPING = (  # four of twelve tiles
    "pavilion coloured round 4 decorating seat 0 start 1 | PGGGOOBBRR | - - - - - | - | P8G3O10Y8B7R5"
    " | P3G5O3Y6B2R5 | 28 PPPPGYYYBBRR OO..../RRR.../BB..../YYY.../GG..../PPP.../BP...."
    " | 25 GGGGOOOBBBRR OO..../RR..../BB..../YY..../GGG.../PP..../GBR..."
)
GATHER = """
import { Picks } from "%s";
const picks = new Picks();
const choices = JSON.parse(process.argv[1]);
const wrong = [];
for (const choice of choices) {
  const places = choice.picks.map(({ place }) => place);
  for (const order of [places, places.toReversed(), [...places.slice(2), ...places.slice(0, 2)]]) {
    picks.offer(choices, []);
    for (const place of order) picks.pick(place, true);
    if (picks.whole !== choice) wrong.push(["not whole", order]);
    picks.pick(order[0], true); // no more of it: all of it is taken back
    if (picks.whole || picks.picked.includes(order[0])) wrong.push(["not taken back", order]);
  }
}
console.log(JSON.stringify(wrong));
"""


def test_tiles_to_keep_are_picked_in_any_order_and_taken_back(node: str) -> None:
    keeping = az.parse(KEEPING).play("pass")
    assert keeping.fields.picks == 4
    text = msgspec.json.encode(list(choices(keeping))).decode()
    script = GATHER % (STATIC / "picks.js").as_uri()
    done = subprocess.run([node, "--input-type=module", "-e", script, text], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("game", ["azul", "pavilion", "duel"])
def test_every_choice_is_reached_by_its_picks(node: str, game: str) -> None:
    """At once, or waiting to be picked once more; undoing takes the last pick off; nothing else can be picked."""
    state = az.make(game).start(seed=3)
    offered = list(choices(state))
    # A choice whose picks are the beginning of another's is made by a button: it is not whole while more can be picked.
    paths = [tuple(pick.place for pick in choice.picks) for choice in offered]
    alone = [path for path in paths if sum(other[: len(path)] == path for other in paths) == 1]
    script = WALK % (STATIC / "picks.js").as_uri()
    text = msgspec.json.encode(offered).decode()
    done = subprocess.run([node, "--input-type=module", "-e", script, text], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for path, (action, made, waits, again, back, nowhere) in zip(paths, json.loads(done.stdout), strict=True):
        if path in alone:
            assert made == waits == again == action
            assert back == len(path) - 1
        assert nowhere is None
    assert alone
