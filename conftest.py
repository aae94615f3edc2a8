"""What pytest leaves out: modules whose extra is not among those of the tests."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("stable_baselines3") else ["src/azulejos/envs/sb3.py"]
