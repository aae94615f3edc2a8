"""What pytest leaves out: modules whose extra is not among those of the tests, one that registers a player, and a
command. And which tests run in one worker."""

from importlib.util import find_spec
from typing import Any

import pytest

NEEDED = {"src/azulejos/envs/sb3.py": "stable_baselines3", "src/azulejos/baselines/ppo.py": "torch"}
collect_ignore = [module for module, extra in NEEDED.items() if not find_spec(extra)]
collect_ignore += ["src/azulejos/baselines/player.py", "tests/compiled.py"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests of a module that share servers or a browser run in one worker, which starts them once."""
    from xdist.scheduler import LoadScopeScheduling

    class Sharing(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.split("::")[0] if nodeid.startswith(("tests/server/", "tests/web/")) else nodeid

    return Sharing(config, log)
