"""The HTTP API is what its description says, whatever is sent to it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as HypothesisPhase
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.routing import Route

import azulejos as az
from azulejos.core.record import Record
from azulejos.server.pages import description
from azulejos.server.running.app import make_app
from azulejos.server.running.settings import Settings

from .client import PATIENCE, Visitor, get
from .conftest import Running

FILE = Path(__file__).parents[2] / "docs" / "openapi.json"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
UNLIMITED = [f"--limit={name}=0" for name in ("tables", "new-tables", "posts")]
SECRET = "a secret for the host"
# What is wrong costs much time to find: ten are made for one that can be sent.
MOST = {schemathesis.GenerationMode.POSITIVE: 8, schemathesis.GenerationMode.NEGATIVE: 4}
OPERATIONS = sorted((path, method) for path, operations in description()["paths"].items() for method in operations)


def test_the_file_is_the_codes() -> None:
    """To write it anew: `write_description` of azulejos.server.pages prints it."""
    assert json.loads(FILE.read_text()) == json.loads(json.dumps(description()))


def test_every_route_is_described(tmp_path: Path) -> None:
    routes = set[tuple[str, str]]()
    for route in make_app(Settings(tmp_path)).routes:
        if isinstance(route, Route):
            path = re.sub(r"{(\w+):\w+}", r"{\1}", route.path)
            routes |= {(path, method.lower()) for method in route.methods or () if method != "HEAD"}
    assert routes == {(path, method) for path, operations in description()["paths"].items() for method in operations}


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("api")
    (folder / "secret").write_text(SECRET)
    running = Running(folder / "data", *UNLIMITED, f"--admin={folder / 'secret'}")
    for game in ("azul", "pavilion", "duel"):
        running.wait_until_ready(game)
    yield running
    running.stop()


def _record() -> str:
    """A short one."""
    state = az.make("azul").start(seed=3)
    record = Record(state, ("a", "b"))
    for _move in range(3):
        record.play(action := state.actions[0])
        state = state.play(action)
    return str(record)


@pytest.fixture(scope="module")
def described(open_server: Running) -> Any:
    """The description for Schemathesis, with a table and a record that are there among the names to be tried."""
    visitor = Visitor(open_server.address)
    table = visitor.open(game="azul", **{"seat-0": "me", "seat-1": "me"})
    answer = visitor.http.post("/records", content=_record(), headers={"content-type": "text/plain"})
    found = {"table": [table], "record": [answer.json()["address"].rsplit("/", 1)[1]], "game": ["azul", "duel"]}
    served: dict[str, Any] = get(f"{open_server.address}/openapi.json").json()
    for operations in served["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path" and parameter["name"] in found:
                    parameter["schema"] = {"anyOf": [{"enum": found[parameter["name"]]}, parameter["schema"]]}
    return schemathesis.openapi.from_dict(served)


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=str)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_whatever_is_sent_is_answered_as_described(
    described: Any, open_server: Running, path: str, method: str, mode: schemathesis.GenerationMode
) -> None:
    operation = described[path][method]

    @given(operation.as_strategy(mode))
    @settings(
        max_examples=MOST[mode],
        derandomize=True,
        database=None,
        deadline=None,
        phases=(HypothesisPhase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    def try_one(case: "schemathesis.Case[Any]") -> None:
        case.call_and_validate(open_server.address, checks=CHECKS, allow_redirects=False, timeout=PATIENCE)

    try:
        try_one()
    except Unsatisfiable:
        assert mode is schemathesis.GenerationMode.NEGATIVE  # there is nothing about it that could be wrong


def test_after_all_that_it_is_well(open_server: Running) -> None:
    assert get(f"{open_server.address}/healthz").status_code == 200
