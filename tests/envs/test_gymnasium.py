"""Gymnasium's own check, one seat against others, and many games at once."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import vector

import azulejos as az
from azulejos.envs import gymnasium as ours
from azulejos.envs.opponents import COMPILED
from azulejos.players import NO_LIMIT, PLAYERS, Choice, Greedy, Limit

from . import NUMBERS, options_of

every_game = pytest.mark.parametrize("name", az.registered())
every_number = pytest.mark.parametrize(("name", "players"), NUMBERS)


def made(name: str, **options: Any) -> ours.OneSeatEnv:
    env = gymnasium.make(f"azulejos/{name}-v{az.registered()[name].rules_version}", **options).unwrapped
    assert isinstance(env, ours.OneSeatEnv)
    return env


@every_number
def test_their_check(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    form = "one-hot" if players == 3 else "compact"
    check_env(made(name, observation=form, **options_of(name, players)), skip_render_check=players > 2)
    capsys.readouterr()  # it tries "human" too, which prints


@every_game
def test_a_game_against_a_player(name: str) -> None:
    env = made(name, opponent="greedy", seat=1, rewards="margin")
    _, info = env.reset(seed=2)
    chooser, total = np.random.default_rng(1), 0.0
    while True:
        legal = np.flatnonzero(info["action_mask"])
        assert (np.flatnonzero(env.action_masks()) == legal).all()
        _, reward, terminated, truncated, info = env.step(chooser.choice(legal))
        total += reward
        if terminated or truncated:
            break
        assert env._play.seat == 1
    scores = env._play.state.scores
    others = np.delete(scores, 1).mean()
    assert total == pytest.approx(scores[1] - others, abs=1e-3)
    assert others > scores[1], "greedy beats random choices"


def test_a_player_may_be_given_and_a_seat_drawn() -> None:
    env = ours.OneSeatEnv(az.make("azul", players=3), opponent=Greedy(1))
    assert {env.seat for seed in range(12) if env.reset(seed=seed)} == {0, 1, 2}


def test_who_plays_an_illegal_action_loses_and_hears_why() -> None:
    env = made("azul")
    _, info = env.reset(seed=0)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated) == (-1, True)
    assert "is not legal" in info["illegal"]


def test_a_game_that_is_cut_off_is_truncated() -> None:
    env = made("azul", most_rounds=1)
    _, info = env.reset(seed=0)
    truncated = terminated = False
    while not (truncated or terminated):
        _, _, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
    assert (terminated, truncated) == (False, True)


@every_game
@pytest.mark.parametrize("opponent", COMPILED)
def test_many_games_at_once(name: str, opponent: str) -> None:
    version = az.registered()[name].rules_version
    envs = gymnasium.make_vec(
        f"azulejos/{name}-v{version}", 24, vectorization_mode="vector_entry_point", opponent=opponent
    )
    assert isinstance(envs, ours.ManySeatsEnv)
    seen, info = envs.reset(seed=5)
    chooser, paid = np.random.default_rng(0), []
    for _ in range(150):
        assert seen in envs.observation_space
        assert (envs.batch.seats == envs.seats).all()
        actions = np.array([chooser.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        assert actions in envs.action_space
        seen, rewards, terminated, truncated, info = envs.step(actions)
        assert not rewards[~terminated].any()
        assert not truncated.any()
        paid += rewards[terminated].tolist()
        if terminated.any():
            assert (info["_final_obs"] == terminated).all()
            last = info["final_obs"][np.flatnonzero(terminated)[0]]
            assert last in envs.single_observation_space
    assert len(paid) > 20
    assert set(paid) <= {1.0, 0.0, -1.0}
    if opponent == "greedy":
        assert np.mean(paid) < -0.8


def test_many_games_are_the_same_for_the_same_seed() -> None:
    envs = ours.ManySeatsEnv("azul", 6, seat=0, observation="one-hot")
    first = envs.reset(seed=1)[0].copy()
    assert (envs.reset(seed=1)[0] == first).all()
    assert (envs.reset(seed=2)[0] != first).any()
    assert (envs.seats == 0).all()


@pytest.mark.parametrize(
    "options", [{"seat": 2}, {"seat": -1}, {"opponent": "nobody"}, {"observation": "x"}, {"players": 9}]
)
@pytest.mark.parametrize("kind", [ours.OneSeatEnv, ours.ManySeatsEnv])
def test_nonsense_is_refused(kind: Any, options: dict[str, Any]) -> None:
    with pytest.raises(az.OptionError):
        kind("azul", **options)


def test_every_player_can_be_an_opponent() -> None:
    for name in PLAYERS:
        assert made("azul", opponent=name)


# --- right data ---


def final_lead(scores: Any, seat: int) -> float:
    return float(scores[seat] - np.delete(scores, seat).mean())


@every_number
@pytest.mark.parametrize("opponent", COMPILED)
def test_margins_sum_to_the_final_lead(name: str, players: int, opponent: str) -> None:
    """In every mode; what opponents do before the learner's first action counts to that game, not the one before."""
    for mode in ("same-step", "next-step"):
        envs = ours.ManySeatsEnv(
            name, 24, opponent, rewards="margin", autoreset_mode=mode, most_rounds=3, **options_of(name, players)
        )
        _, info = envs.reset(seed=1)
        chooser, sums, games = np.random.default_rng(0), np.zeros(24), 0
        for _ in range(120):
            actions = np.array([chooser.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
            _, rewards, terminated, truncated, info = envs.step(actions)
            sums += rewards
            last = info.get("final_info", info)
            for i in np.flatnonzero(terminated | truncated):
                assert sums[i] == pytest.approx(final_lead(last["scores"][i], last["seat"][i]), abs=1e-3)
                sums[i], games = 0, games + 1
        assert games > 24


@every_number
def test_margins_of_one_seat_sum_to_the_final_lead(name: str, players: int) -> None:
    env = ours.OneSeatEnv(name, "greedy", rewards="margin", most_rounds=3, **options_of(name, players))
    chooser = np.random.default_rng(0)
    for seed in range(8):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, reward, terminated, truncated, info = env.step(chooser.choice(np.flatnonzero(info["action_mask"])))
            total, over = total + reward, terminated or truncated
        assert total == pytest.approx(final_lead(info["scores"], info["seat"]), abs=1e-3)


def test_what_was_returned_stays_as_it_was() -> None:
    kept = ours.ManySeatsEnv("azul", 4)
    seen, info = kept.reset(seed=1)
    before, mask = seen.copy(), info["action_mask"].copy()
    kept.step(info["action_mask"].argmax(1))
    assert (seen == before).all()
    assert (info["action_mask"] == mask).all()
    lent = ours.ManySeatsEnv("azul", 4, copy=False)
    seen, info = lent.reset(seed=1)
    assert lent.step(info["action_mask"].argmax(1))[0] is seen


def test_every_game_has_a_seed_of_its_own() -> None:
    envs = ours.ManySeatsEnv("azul", 4, seat=0)
    seen = envs.reset(seed=[1, 2, 3, 4])[0]
    assert len({row.tobytes() for row in seen}) == 4
    assert (envs.reset(seed=[9, 2, 3, 4])[0] == seen).all(1).tolist() == [False, True, True, True]
    assert (envs.reset(seed=[4, 3, 2, 1])[0] == seen[::-1]).all()
    with pytest.raises(az.OptionError, match="3 seeds for 4"):
        envs.reset(seed=[1, 2, 3])


@pytest.mark.parametrize("rewards", ["win", "margin"])
def test_an_illegal_action_is_worse_than_any_loss_and_ends_the_game(rewards: Any) -> None:
    env = ours.OneSeatEnv("azul", "search@30", rewards=rewards, seat=0)
    _, info = env.reset(seed=0)
    lost = 0.0
    while info["action_mask"].any():  # the worst that a player can do: everything to the floor
        _, reward, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        lost += reward
    _, info = env.reset(seed=0)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert terminated
    assert reward <= lost
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(az.OptionError, match="reset the environment first"):
        env.step(0)


def test_an_illegal_action_among_many_changes_nothing() -> None:
    envs = ours.ManySeatsEnv("azul", 4)
    _, info = envs.reset(seed=1)
    before, actions = envs.batch.states.copy(), info["action_mask"].argmax(1)
    actions[2] = int(np.flatnonzero(~info["action_mask"][2])[0])
    with pytest.raises(az.IllegalAction, match="environment 2"):
        envs.step(actions)
    assert (envs.batch.states == before).all()


# --- modes of resetting, and Gymnasium's wrappers ---


def test_the_next_step_resets() -> None:
    envs = ours.ManySeatsEnv("azul", 8, "greedy", autoreset_mode="next-step")
    seen, info = envs.reset(seed=1)
    chooser, over, resets = np.random.default_rng(0), np.zeros(8, np.bool_), 0
    for _ in range(150):
        actions = np.array([chooser.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        before = over
        seen, rewards, terminated, truncated, info = envs.step(actions)
        over = terminated | truncated
        assert not rewards[before].any()
        assert not over[before].any()
        assert (envs.batch.seats == envs.seats)[~over].all()
        for i in np.flatnonzero(before):
            assert seen[i][4] == 1, "a new game is in round 1"
        for i in np.flatnonzero(over):
            assert seen[i][2] == 0, "nothing is to be decided when a game is over"
            assert info["result"][i] == rewards[i]
            assert info["action_mask"][i].all()
        resets += int(before.sum())
    assert resets > 8


def test_only_the_chosen_games_are_reset() -> None:
    envs = ours.ManySeatsEnv("azul", 6, autoreset_mode="disabled", most_rounds=1)
    seen, info = envs.reset(seed=1)
    over = np.zeros(6, np.bool_)
    while not over.any():
        seen, _, terminated, truncated, info = envs.step(info["action_mask"].argmax(1))
        over = terminated | truncated
    with pytest.raises(az.OptionError, match="reset them first"):
        envs.step(info["action_mask"].argmax(1))
    before = envs.batch.states[~over].copy()
    again, info = envs.reset(options={"reset_mask": over})
    assert (envs.batch.states[~over] == before).all()
    assert (again[~over] == seen[~over]).all()
    envs.step(info["action_mask"].argmax(1))


WRAPPERS: dict[str, Any] = {
    "RecordEpisodeStatistics": vector.RecordEpisodeStatistics,
    "DictInfoToList": vector.DictInfoToList,
    "NormalizeObservation": vector.NormalizeObservation,
    "NormalizeReward": vector.NormalizeReward,
    "FlattenObservation": vector.FlattenObservation,
    "ClipReward": lambda env: vector.ClipReward(env, -1, 1),
    "TransformReward": lambda env: vector.TransformReward(env, lambda reward: reward),
    "TransformAction": lambda env: vector.TransformAction(env, lambda action: action),
    "TransformObservation": lambda env: vector.TransformObservation(env, lambda seen: seen),
    "VectorizeTransformReward": lambda env: vector.VectorizeTransformReward(env, wrappers.ClipReward, max_reward=1),
    "VectorizeTransformAction": lambda env: vector.VectorizeTransformAction(
        env, wrappers.TransformAction, func=lambda action: action, action_space=None
    ),
    "VectorizeTransformObservation": lambda env: vector.VectorizeTransformObservation(
        env, wrappers.TransformObservation, func=lambda seen: seen, observation_space=None
    ),
    "RescaleObservation": lambda env: vector.RescaleObservation(env, np.float32(-1), np.float32(1)),
    "ReshapeObservation": lambda env: vector.ReshapeObservation(env, (env.single_observation_space.shape[0], 1)),
    "DtypeObservation": lambda env: vector.DtypeObservation(env, np.float32),
    "FilterObservation": lambda env: vector.FilterObservation(env, ["observation"]),
}
ELSEWHERE = {
    *("ClipAction", "RescaleAction"),  # for actions that are no choice among several
    *("GrayscaleObservation", "ResizeObservation"),  # for observations that are pictures
    *("HumanRendering", "RecordVideo"),  # for a screen and a film
    *("ArrayConversion", "JaxToNumpy", "JaxToTorch"),  # for environments in JAX
    "NumpyToTorch",  # in test_sb3.py, beside PyTorch
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_their_wrappers(name: str) -> None:
    mask: Any = "observation" if name == "FilterObservation" else "info"
    envs = ours.ManySeatsEnv("azul", 4, observation="one-hot", autoreset_mode="next-step", mask=mask, most_rounds=2)
    wrapped = WRAPPERS[name](envs)
    seen, _ = wrapped.reset(seed=1)
    for _ in range(60):
        assert seen in wrapped.observation_space
        seen = wrapped.step(envs.batch.random_actions().copy())[0]


def test_no_wrapper_is_forgotten() -> None:
    assert set(vector.__all__) <= {*WRAPPERS, *ELSEWHERE}


@pytest.mark.parametrize("mode", ["svg", "rgb_array"])
def test_many_games_are_drawn(mode: Any) -> None:
    envs = ours.ManySeatsEnv("azul", 3, render_mode=mode, most_rounds=1, autoreset_mode="next-step")
    _, info = envs.reset(seed=1)
    over = np.zeros(3, np.bool_)
    while not over.any():
        _, _, terminated, truncated, info = envs.step(info["action_mask"].argmax(1))
        over = terminated | truncated
    frames = envs.render()
    assert len(frames) == 3
    if mode == "svg":
        assert [("Round 2" in frame) for frame in frames] == over.tolist(), "the end is shown until the next step"
    else:
        assert all(frame.shape == (800, 1280, 3) for frame in frames)


# --- opponents ---


def first_legal(observations: Any, masks: Any) -> Any:
    assert observations.shape[0] == masks.shape[0]
    return masks.argmax(1)


class Last:
    """A player of one's own."""

    def choose(self, view: az.State, limit: Limit = NO_LIMIT) -> Choice:
        return Choice(view.actions[-1])


@pytest.mark.parametrize("opponent", ["search@20", "search@0.01s", "beginner", first_legal, Last()])
def test_opponents_of_all_kinds(opponent: Any) -> None:
    env = ours.OneSeatEnv("azul", opponent, seat=0, observation="one-hot")
    envs = ours.ManySeatsEnv("azul", 2, opponent, seat=0, observation="one-hot")
    _, info = env.reset(seed=1)
    _, many = envs.reset(seed=1)
    for _ in range(3):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
        _, _, _, _, many = envs.step(many["action_mask"].argmax(1))
    assert env.state.seat == 0
    assert (envs.batch.seats == 0).all()


def test_opponents_that_are_none() -> None:
    for wrong in ("nobody", "search@soon", 7):
        with pytest.raises(az.OptionError):
            ours.OneSeatEnv("azul", wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("opponent", ["random", "greedy", first_legal])
def test_pickled_environments_go_on_alike(opponent: Any) -> None:
    env, envs = ours.OneSeatEnv("azul", opponent), ours.ManySeatsEnv("azul", 3, opponent)
    _, info = env.reset(seed=1)
    _, many = envs.reset(seed=1)
    other, others = pickle.loads(pickle.dumps(env)), pickle.loads(pickle.dumps(envs))
    for _ in range(4):
        action, actions = int(info["action_mask"].argmax()), many["action_mask"].argmax(1)
        seen, _, _, _, info = env.step(action)
        assert (other.step(action)[0] == seen).all()
        seen, _, _, _, many = envs.step(actions)
        assert (others.step(actions)[0] == seen).all()
