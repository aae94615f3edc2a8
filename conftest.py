"""What pytest leaves out: modules whose extra is not among those of the tests, and one that registers a player."""

from importlib.util import find_spec

NEEDED = {"src/azulejos/envs/sb3.py": "stable_baselines3", "src/azulejos/baselines/ppo.py": "torch"}
collect_ignore = [module for module, extra in NEEDED.items() if not find_spec(extra)]
collect_ignore += ["src/azulejos/baselines/player.py"]
