"""The GPU's batch plays the CPU's games bit for bit: in CUDA's simulator here, and on a GPU where there is one."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding
import numpy as np
import pytest

import azulejos as az
from azulejos.core import gpu
from azulejos.core.compiling import remake
from azulejos.envs import grid
from azulejos.envs.cuda import num_words

ROOT = Path(__file__).parents[2]

SAME = """
import pickle

import azulejos as az
from azulejos.envs.batches import Batch
from azulejos.envs.cuda import CudaBatch
from examples.pig import Pig

az.register(Pig)
for name in {names}:
    for game in list(az.registered()[name].variants())[:{variants}]:
        cpu, gpu = az.batch(game, {n}, seed=3), az.batch(game, {n}, device="cuda", seed=3)

        def same(what):
            one, other = (getattr(games, what) for games in (cpu, gpu))
            one, other = (one(), other()) if callable(one) else (one, other)
            other = other.copy_to_host() if hasattr(other, "copy_to_host") else other
            assert one.tobytes() == other.tobytes(), (game, what)

        for _ in range({steps}):
            same("random_actions")
            actions = cpu.random_actions().copy()
            gpu.random_actions()
            cpu.step(actions)
            gpu.step(actions)
            for what in ("states", "keys", "seats", "rewards", "terminated", "truncated"):
                same(what)
        assert cpu.wander({steps}) == gpu.wander({steps})
        for what in ("states", "keys", "seats", "rewards", "finals", "legal_mask", "observe", "greedy_actions"):
            same(what)
        for step in range({steps}):  # which now write masks and observations too
            actions = cpu.random_actions().copy()
            gpu.random_actions()
            actions[step % {n}] = -1
            cpu.step(actions)
            gpu.step(actions)
            for what in ("legal_mask", "legal_bits", "observe"):
                same(what)
        assert (cpu.observe(one_hot=True) == gpu.observe(one_hot=True).copy_to_host()).all()
        actions[0] = int((~cpu.legal_mask()[0]).argmax())
        for games in (cpu, gpu) if not cpu.legal_mask()[0].all() else ():
            try:
                games.step(actions)
            except az.IllegalAction as refusal:
                assert "game 0" in str(refusal)
            else:
                raise AssertionError("an illegal action was played")
        for games in (cpu, gpu):
            games.renew(1)
            games.renew(0, 5)
            games.set(1, games.state(0))
        for what in ("states", "keys", "seats", "ended", "legal_mask", "legal_bits", "observe"):
            same(what)
        gpu = pickle.loads(pickle.dumps(gpu))
        for what in ("states", "keys", "seats", "rewards", "finals", "ended", "random_actions", "legal_mask"):
            same(what)
        for games in (cpu, gpu):
            games.reset(list(range({n})))
        for what in ("states", "keys", "seats", "rewards", "finals", "ended", "legal_bits"):
            same(what)
        cpu, gpu = (kind(game, 2, seed=3, most_rounds=1, endless=False) for kind in (Batch, CudaBatch))
        while not cpu.ended[0]:
            cpu.step([cpu.legal_list(0)[0], -1])
        if cpu.state(0).seat is not None:
            gpu.set(0, cpu.state(0))
            for games in (cpu, gpu):
                games.step([-1, games.legal_list(1)[0]])
                games.renew(1, 6)  # after which game 0 is over still
            assert not cpu.legal_mask()[0].any()
            same("legal_mask")
print("the same")
"""


SEARCHES = """
import azulejos as az
from azulejos.players import Limit, Random, Search

for name in {names}:
    game, views = az.make(name), []
    for seed in range({first}, {first} + {n}):
        state, wanderer = game.start(seed=seed), Random(seed)
        for _ in range(seed % 20):
            if state.seat is not None:
                state = state.play(wanderer.choose(state).action)
        if state.seat is not None:
            views.append(state.view(state.seat))
    limit = Limit(simulations={simulations})
    assert Search(1, device="cuda").choose_many(views, limit) == Search(1).choose_many(views, limit), name
print("the same")
"""


def run(script: str, **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_in_the_simulator_they_are_the_same() -> None:
    """Uncompiled, since the simulator runs plain Python: so few moves."""
    script = SAME.format(names=[*az.registered(), "pig"], variants=1, n=2, steps=2)
    assert "the same" in run(script, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")


def test_in_the_simulator_searches_are_the_same() -> None:
    script = SEARCHES.format(names=[*az.registered()], first=9, n=1, simulations=2)
    assert "the same" in run(script, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("actions", [2, 29, 32, 45])
def test_masks_are_their_bits(actions: int) -> None:
    """Of games one after another, without gaps; bits have gaps of 30, 3, 0 and 19."""
    games, words = 21, num_words(actions)
    legal = np.random.default_rng(actions).integers(2, size=(games, actions), dtype=np.uint8)
    bits = np.zeros((games, words * 4), np.uint8)
    packed = np.packbits(legal, axis=1, bitorder="little")
    bits[:, : packed.shape[1]] = packed
    written = np.full(-(-games * actions // 8), 7, np.uint64)
    names = {"ACTIONS": actions, "WORDS": words, "BLOCK": 8}
    scatter_bits: Any = remake(grid.scatter_bits, {**vars(grid), **names})
    for first in range(0, games, 8):
        own = np.append(bits[first : first + 8].reshape(-1).view(np.uint32), np.uint32(0xFFFFFFFF))
        for thread in range(8):
            scatter_bits(thread, own, first, min(8, games - first), written)
    assert written.view(np.uint8)[: legal.size].tobytes() == legal.tobytes()


def has_gpu() -> bool:
    if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1":
        return False
    if not hasattr(np, "row_stack"):
        vars(np)["row_stack"] = np.vstack
    from numba import cuda

    gpu: Any = cuda
    return bool(gpu.is_available())


@pytest.mark.skipif(not has_gpu(), reason="needs a GPU")
@pytest.mark.parametrize("name", az.registered())
def test_on_a_gpu_they_are_the_same(name: str) -> None:
    script = SAME.format(names=[name], variants=1, n=1000, steps=60)
    assert "the same" in run(script)


@pytest.mark.skipif(not has_gpu(), reason="needs a GPU")
@pytest.mark.parametrize("name", az.registered())
def test_on_a_gpu_searches_are_the_same(name: str) -> None:
    assert "the same" in run(SEARCHES.format(names=[name], first=0, n=200, simulations=100))


@pytest.mark.skipif(not has_gpu(), reason="needs a GPU")
@pytest.mark.parametrize("library", ["torch", "cupy", "jax"])
def test_on_a_gpu_others_read_the_arrays_without_a_copy(library: str) -> None:
    import_or_skip: Any = pytest.importorskip
    other = import_or_skip(library)
    games = az.batch("azul", 256, device="cuda", seed=1)
    seen: Any = games.observe(one_hot=True)
    readers: dict[str, Callable[[], Any]] = {
        "torch": lambda: other.as_tensor(seen, device="cuda"),
        "cupy": lambda: other.asarray(seen),
        "jax": lambda: other.dlpack.from_dlpack(import_or_skip("torch").as_tensor(seen, device="cuda")),
    }
    read = readers[library]()
    pointer: dict[str, Callable[[], int]] = {
        "torch": lambda: read.data_ptr(),
        "cupy": lambda: read.data.ptr,
        "jax": lambda: read.unsafe_buffer_pointer(),
    }
    assert pointer[library]() == seen.__cuda_array_interface__["data"][0]


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_without_a_gpu_it_says_so() -> None:
    with pytest.raises(az.OptionError, match="no GPU"):
        az.batch("azul", 1, device="cuda")


CODE = """
define i32 @twice(i32 %n)
{
  br label %again
again:
  %k = phi i32 [0, %0], [%next, %again]
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %again, label %done
done:
  ret i32 %k
}
define i32 @once(i32 %n)
{
  %one = call i32 @twice(i32 %n)
  %two = call i32 @twice(i32 %one)
  ret i32 %two
}
"""


def test_much_code_is_not_unrolled_and_not_inlined_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gpu.shortened([CODE]) == [CODE]
    monkeypatch.setattr(gpu, "MUCH", 10)
    monkeypatch.setattr(gpu, "LONG", 5)
    (marked,) = gpu.shortened([CODE])
    found = llvmlite.binding.parse_assembly(marked)  # which complains of what is no code
    assert [(one.name, b"noinline" in b" ".join(one.attributes)) for one in found.functions] == [
        ("twice", True),
        ("once", False),
    ]
    assert marked.count("distinct") == 2
