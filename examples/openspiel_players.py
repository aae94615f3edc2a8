"""OpenSpiel's players on our games: its tree search against random moves, and its tabular Q-learner.

python examples/openspiel_players.py
"""

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, tabular_qlearner

import azulejos.envs.openspiel  # noqa: F401  registers the games


def search_against_random(name: str, simulations: int, seed: int) -> list[float]:
    """One game; what each player gets."""
    random = np.random.RandomState(seed)
    game = pyspiel.load_game(name)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = random.choice(outcomes, p=chances)
        elif state.current_player() == 0:
            action = bot.step(state)
        else:
            action = random.choice(state.legal_actions())
        state.apply_action(int(action))
    return list(state.returns())


def learn_a_table(name: str, episodes: int, seed: int) -> int:
    """Let two Q-learners play each other; how many situations their tables hold."""
    np.random.seed(seed)  # the learners draw from NumPy's own generator
    deals = rl_environment.ChanceEventSampler(seed)
    env = rl_environment.Environment(pyspiel.load_game(name), chance_event_sampler=deals)
    actions = env.action_spec()["num_actions"]
    learners = [tabular_qlearner.QLearner(player_id=seat, num_actions=actions) for seat in range(env.num_players)]
    for _ in range(episodes):
        moment = env.reset()
        while not moment.last():
            acting = moment.observations["current_player"]
            moment = env.step([learners[acting].step(moment).action])
        for learner in learners:
            learner.step(moment)
    return sum(len(learner._q_values) for learner in learners)


if __name__ == "__main__":
    azul = "azulejos_azul(most_rounds=3,rewards=margin)"
    print("search against random, Azul of three rounds, points ahead:", search_against_random(azul, 40, 1))
    print("situations in the Q-tables:", learn_a_table(azul, 3, 1))
