"""The rules behind states: compiled, plain, or anywhere else; states, text, pictures and tables without NumPy."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

import azulejos as az
from azulejos.core.compiled import CompiledRules
from azulejos.core.rules import PlainRules

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", ["azul", "pavilion", "duel"])
def test_plain_rules_are_the_compiled_rules(name: str) -> None:
    game, chooser = az.make(name), random.Random(3)
    compiled, plain = CompiledRules(game), PlainRules(game)
    position = compiled.lay_out(1)
    assert plain.lay_out(1) == position
    for _step in range(150):
        turn = compiled.turn(position)
        assert plain.turn(position) == turn
        assert [plain.projected(position, seat) for seat in range(2)] == [
            compiled.projected(position, seat) for seat in range(2)
        ]
        if turn == -2:
            break
        if turn == -1:
            ways = compiled.ways(position)
            assert plain.ways(position) == ways
            outcome = chooser.choices(range(len(ways)), ways)[0]
            after = compiled.draw(position, outcome)
            assert plain.draw(position, outcome) == after
        else:
            actions = compiled.actions(position)
            assert plain.actions(position) == actions
            assert plain.try_actions(position) == compiled.try_actions(position)
            after = compiled.play(position, action := chooser.choice(actions))
            assert plain.play(position, action) == after
        position = after


def blocked(script: str, *names: str) -> "subprocess.Popen[str]":
    """A process in which neither NumPy nor Numba can be imported."""
    block = "import sys; sys.modules['numpy'] = sys.modules['numba'] = None; sys.argv = sys.argv[1:]"
    run = f"{block}; import runpy; runpy.run_path({str(HERE / script)!r}, run_name='__main__')"
    return subprocess.Popen(
        [sys.executable, "-c", run, script, *names],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(HERE.parent.parent / "src")},
    )


@pytest.mark.parametrize("name", ["azul", "pavilion", "duel"])
def test_everything_but_the_rules_works_without_numpy(name: str) -> None:
    """The rules are asked over a pipe; another process has them compiled."""
    with blocked("without_numpy.py", name, "piped") as process:
        assert process.stdin
        assert process.stdout
        rules, answer = CompiledRules(az.make(name)), ""
        for line in process.stdout:
            question, *arguments = eval(line)
            if question == "done":
                answer = arguments[0]
                break
            print(repr(getattr(rules, question)(*arguments)), file=process.stdin, flush=True)
    assert process.returncode == 0
    assert answer == str(played(name))


def test_the_rules_work_without_numpy_too() -> None:
    with blocked("without_numpy.py", "azul", "plain") as process:
        output, _ = process.communicate()
    assert process.returncode == 0
    assert eval(output.strip().split("\n")[-1]) == ("done", str(played("azul")))


def played(name: str) -> az.State:
    state = az.make(name).start(seed=5)
    for _move in range(12):
        state = state.play(state.actions[len(state.actions) // 2])
    return state
