"""Batches play the games of the public entry points, and say honestly what happened."""

import pickle
from typing import Any

import numpy as np
import pytest

import azulejos as az
from azulejos.envs import Batch
from azulejos.envs.play import Observer, Play

VARIANTS = [game for kind in az.registered().values() for game in kind.variants()]
GAMES = [kind() for kind in az.registered().values()]
every_variant = pytest.mark.parametrize("game", VARIANTS, ids=lambda game: game.slug)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def play_on(games: Batch, i: int) -> None:
    """Random steps until game i ends."""
    while True:
        games.step(games.random_actions())
        if games.terminated[i] or games.truncated[i]:
            return


@every_variant
def test_the_same_keys_give_the_games_of_the_public_door(game: az.Game) -> None:
    games = az.batch(game, 2, seed=11)
    games.reset(12)
    keys = np.random.SeedSequence(12).generate_state(2, np.uint64)
    states = [game.start(seed=az.Chance(int(key))) for key in keys]
    for _ in range(60):
        mask = games.legal_mask()
        for i, state in enumerate(states):
            assert games.state(i) == state
            assert games.seats[i] == state.seat
            assert np.flatnonzero(mask[i]).tolist() == [int(action) for action in state.actions]
        chosen = np.array([int(state.actions[len(state.actions) // 2]) for state in states])
        games.step(chosen)
        states = [state.play(int(action)) for state, action in zip(states, chosen, strict=True)]
        for i, state in enumerate(states):
            assert games.terminated[i] == state.over
            if state.over:
                assert az.State(game, games.finals[i : i + 1].copy()) == state
                states[i] = game.start(seed=state.chance)


@every_game
def test_the_winner_is_paid_and_a_new_game_begins(game: az.Game) -> None:
    games = az.batch(game, 3, seed=5)
    ends = 0
    for _ in range(1200):
        games.step(games.random_actions())
        assert not games.truncated.any()
        for i in range(3):
            if not games.terminated[i]:
                assert not games.rewards[i].any()
                continue
            ends += 1
            outcome = az.State(game, games.finals[i : i + 1].copy()).outcome
            assert outcome
            assert games.state(i).round == 1
            assert games.rewards[i].sum() == pytest.approx(0, abs=1e-6)
            won = np.flatnonzero(games.rewards[i] == games.rewards[i].max())
            assert tuple(won) == outcome.winners
            if len(won) == 1:
                assert games.rewards[i].max() == 1
    assert ends > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_margins_sum_up_to_the_final_lead(players: int) -> None:
    games = az.batch(az.make("azul", players=players), 1, seed=3, rewards="margin")
    total = np.zeros(players)
    while True:
        games.step(games.random_actions())
        total += games.rewards[0]
        assert games.rewards.sum() == pytest.approx(0, abs=1e-4)
        if games.terminated[0]:
            break
    scores = games.finals[0]["score"][:players]
    lead = [scores[seat] - np.delete(scores, seat).mean() for seat in range(players)]
    assert total == pytest.approx(lead, abs=1e-4)
    assert scores.any()


def test_a_shared_victory_shares_the_reward() -> None:
    game = az.make("azul", players=3)
    games = az.batch(game, 1, seed=0)
    last = az.State(game, game.empty())
    while last.round < 2 or len(last.actions) != 1:  # one action before a round's end
        last = games.state(0)
        games.step(games.random_actions())
    array = last.array()
    array[0]["score"][:3] = [50, 50, 50]
    array[0]["wall"][:3] = 0
    array[0]["wall"][:3, :, ...] = [[1 << column for column in range(5)]] * 3  # a complete first row each
    array[0]["line_count"][:3], array[0]["line_colour"][:3], array[0]["floor_count"][:3], array[0]["floor"][:3] = (
        0,
        -1,
        0,
        0,
    )
    games.set(0, az.State(game, array))
    floor = [int(action) for action in last.actions if str(action).endswith("-")]
    games.step(np.array(floor[:1]))
    assert games.terminated[0]
    seat = int(np.argmin(games.finals[0]["score"][:3]))  # whose tiles fell to the floor
    assert games.rewards[0, seat] == pytest.approx(-0.5)
    assert np.delete(games.rewards[0], seat) == pytest.approx([0.25, 0.25])


def test_a_game_without_end_is_cut_off_and_says_so() -> None:
    games = az.batch("azul", 1, seed=1, most_rounds=2)
    play_on(games, 0)
    assert games.truncated[0]
    assert not games.terminated[0]
    assert games.finals[0]["round_no"] == 3
    assert not games.rewards.any()
    assert games.state(0).round == 1


@every_game
def test_wandering_is_stepping_at_random(game: az.Game) -> None:
    one, other = az.batch(game, 5, seed=2), az.batch(game, 5, seed=2)
    ends = 0
    for _ in range(150):
        one.step(one.random_actions())
        ends += int((one.terminated | one.truncated).sum())
    assert other.wander(150) == ends
    for name in ("states", "keys", "seats", "rewards", "finals"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


@every_game
def test_greedy_actions_are_the_greedy_players(game: az.Game) -> None:
    games = az.batch(game, 4, seed=6)
    for _ in range(25):
        actions = games.greedy_actions()
        for i in range(4):
            out, values = game.actions_buffer(), np.zeros(game.num_actions, np.int64)
            count = game.entry_points.try_actions(games.state(i).array(), 0, game.empty(), out, values)
            assert values[list(out[:count]).index(actions[i])] == values[:count].max()
        games.step(actions)


@every_game
def test_games_go_on_from_a_state(game: az.Game) -> None:
    games = az.batch(game, 5, seed=8)
    games.legal_mask()
    state = game.start(seed=3)
    for _ in range(7):
        state = state.play(state.actions[-1])
    before = [games.state(i) for i in range(5)]
    games.set(slice(1, 3), state)
    games.set(4, state)
    wanted = [before[0], state, state, before[3], state]
    for i, one in enumerate(wanted):
        assert games.state(i) == one
        assert games.seats[i] == one.seat
        assert np.flatnonzero(games.legal_mask()[i]).tolist() == [int(action) for action in one.actions]
    games.step(games.random_actions())


def test_a_state_that_cannot_go_on_is_refused() -> None:
    games = az.batch("azul", 2, seed=0)
    with pytest.raises(az.OptionError, match="cannot go into"):
        games.set(0, az.make("azul", players=3).start(seed=1))
    with pytest.raises(az.OptionError, match="nobody is to act"):
        games.set(0, az.make("azul").lay_out(0))
    with pytest.raises(az.OptionError, match="does not exist"):
        games.set(2, az.make("azul").start(seed=1))


@every_game
def test_the_mask_keeps_up(game: az.Game) -> None:
    games, fresh = az.batch(game, 6, seed=4), az.batch(game, 6, seed=4)
    mask = games.legal_mask()
    for _ in range(40):
        for batch in (games, fresh):
            batch.step(batch.random_actions())
    for batch in (games, fresh):
        batch.wander(30)
    assert (mask == fresh.legal_mask()).all()
    assert games.legal_mask().base is mask.base
    games.reset(5)
    fresh.reset(5)
    assert (mask == fresh.legal_mask()).all()


def test_seeds() -> None:
    games = az.batch("azul", 4, seed=9)
    assert len({games.state(i) for i in range(4)}) == 4
    before = games.states.copy()
    games.wander(30)
    games.reset(9)
    assert games.states.tobytes() == before.tobytes()
    games.reset()
    assert games.states.tobytes() != before.tobytes()
    assert az.batch("azul", 4).states.tobytes() != az.batch("azul", 4).states.tobytes()


def test_arrays_are_used_again() -> None:
    games = az.batch("azul", 4, seed=0)
    assert games.observe() is games.observe()
    assert games.observe(one_hot=True) is games.observe(one_hot=True)
    assert games.random_actions() is games.random_actions()
    assert games.legal_mask().base is games.legal_mask().base


def test_others_read_the_arrays_without_a_copy() -> None:
    """PyTorch and JAX do it by the same protocol."""
    games = az.batch("azul", 4, seed=0)
    for array in (games.observe(), games.observe(one_hot=True), games.legal_mask(), games.rewards, games.seats):
        assert np.shares_memory(np.from_dlpack(array), array)


def test_a_game_can_wait() -> None:
    games = az.batch("azul", 2, seed=0)
    before = games.states.copy()
    actions = games.random_actions().copy()
    actions[0] = -1
    keys = games.keys.copy()
    games.step(actions)
    assert games.states[0] == before[0]
    assert games.states[1] != before[1]
    assert games.keys[0] == keys[0]


def test_an_illegal_action_is_refused_and_its_game_left_alone() -> None:
    games = az.batch("azul", 3, seed=0)
    before = games.states.copy()
    illegal = int(np.flatnonzero(~games.legal_mask()[1])[0])
    actions = games.random_actions().copy()
    actions[1] = illegal
    with pytest.raises(az.IllegalAction, match=r"game 1: .* is not legal") as refusal:
        games.step(actions)
    assert str(games.state(1)) in str(refusal.value)
    assert games.states[1] == before[1]
    for nonsense in (10**6, -7):
        actions[1] = nonsense
        with pytest.raises(az.AzulejosError):
            games.step(actions)
    assert games.states[1] == before[1]


@pytest.mark.parametrize(
    "options",
    [
        {"n": 0},
        {"n": -3},
        {"n": 2.5},
        {"n": 2, "device": "tpu"},
        {"n": 2, "rewards": "glory"},
        {"n": 2, "most_rounds": 0},
        {"n": 2, "threads": 0},
        {"n": 2, "seed": -1},
        {"n": 2, "seed": "x"},
        {"n": 2, "game": "chess"},
        {"n": 2, "game": 7},
    ],
)
def test_nonsense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(az.OptionError):
        az.batch(**{"game": "azul", **options})


@pytest.mark.parametrize("actions", [[1], [1, 2, 3], [[1, 2]], [0.5, 1.5], ["a", "b"], None])
def test_actions_are_one_integer_a_game(actions: Any) -> None:
    games = az.batch("azul", 2, seed=0)
    with pytest.raises(az.OptionError, match="2 integers"):
        games.step(actions)
    with pytest.raises(az.OptionError):
        games.wander(-1)
    with pytest.raises(az.OptionError):
        games.state(2)


def test_a_game_without_observations_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = az.make("azul")
    monkeypatch.setattr(type(game), "observation", None)
    with pytest.raises(az.OptionError, match="no observations"):
        az.batch(game, 1)


def test_every_game_may_have_a_seed_of_its_own() -> None:
    games = az.batch("azul", 3, seed=0)
    games.reset([5, 6, 7])
    starts = [games.state(i) for i in range(3)]
    assert len(set(starts)) == 3
    games.reset([7, 6, 5])
    assert [games.state(i) for i in range(3)] == starts[::-1]
    games.renew(1, 5)
    assert games.state(1) == starts[0]
    for wrong in ([1, 2], [1, 2, -3]):
        with pytest.raises(az.OptionError):
            games.reset(wrong)


def test_a_game_that_is_over_stays_so_until_it_is_reset() -> None:
    games = Batch(az.make("azul"), 2, seed=0, most_rounds=1, endless=False)
    while not games.ended[0]:
        games.step([games.legal_list(0)[0], -1])
    games.step([-1, games.legal_list(1)[0]])
    again = pickle.loads(pickle.dumps(games))
    assert again.legal_mask()[0].sum() == len(again.legal_list(0)) == 0
    games.renew(0)
    assert games.legal_mask()[0].sum() == len(games.legal_list(0)) > 0
    play = Play("azul", most_rounds=1)
    while play.seat is not None:
        play.act(int(play.mask(play.seat).argmax()))
    with pytest.raises(az.IllegalAction):
        play.act(0)
    assert (play.seat, play.truncated) == (None, True)


@pytest.mark.parametrize("name", az.registered())
def test_a_game_that_is_over_is_seen_from_seat_0(name: str) -> None:
    games = Batch(az.make(name), 1, seed=0, endless=False)
    while not games.ended[0]:
        games.step(games.random_actions())
    assert (games.observe() == Observer(games.game).observe(games.states, 0)).all()


@pytest.mark.parametrize("name", az.registered())
def test_a_pickled_batch_goes_on_alike(name: str) -> None:
    games = az.batch(name, 16, seed=3, rewards="margin")
    games.wander(40)
    games.legal_mask()
    again = pickle.loads(pickle.dumps(games))
    for _ in range(60):
        for one in (games, again):
            one.step(one.random_actions())
        assert (again.states == games.states).all()
        assert (again.rewards == games.rewards).all()
        assert (again.legal_mask() == games.legal_mask()).all()


def test_options_go_with_a_name() -> None:
    assert az.batch("azul", 4, players=3).game == az.make("azul", players=3)
    with pytest.raises(az.OptionError, match="has its own already"):
        az.batch(az.make("azul"), 4, players=3)
