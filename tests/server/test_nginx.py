"""The deployment that the docs describe: real nginx with TLS before two processes over one PostgreSQL."""

import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from .client import PATIENCE, Seat, Visitor, get
from .conftest import Running
from .postgres import free_port, running

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"
AROUND = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {ours}
}}
"""


class Deployment:
    """Two processes behind nginx, and visitors through it."""

    def __init__(self, folder: Path, one: Running, two: Running) -> None:
        self.one, self.two, self.folder = one, two, folder
        port = free_port()
        key, certificate = folder / "key.pem", folder / "fullchain.pem"
        made = (
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        )
        command = [*made.split(), "-keyout", str(key), "-out", str(certificate)]
        subprocess.run(command, check=True, capture_output=True)
        ours = CONFIGURATION.read_text()
        for here, there in (
            ("8731", one.address.rsplit(":", 1)[1]),
            ("8732", two.address.rsplit(":", 1)[1]),
            ("listen 443", f"listen 127.0.0.1:{port}"),
            ("/etc/ssl/azulejos", str(folder)),
            ("/var/log/nginx", str(folder)),
        ):
            assert here in ours
            ours = ours.replace(here, there)
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder, ours=ours))
        self.trust = ssl.create_default_context(cafile=str(certificate))
        self.address = f"https://localhost:{port}"
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.nginx = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        end = time.monotonic() + PATIENCE
        while True:
            try:
                get(f"{self.address}/healthz", verify=self.trust)
                return
            except httpx.TransportError:
                assert time.monotonic() < end, "nginx did not start"
                time.sleep(0.05)

    def sit(self, cookie: str, table: str) -> Seat:
        address = f"{self.address.replace('http', 'ws', 1)}/tables/{table}/socket"
        headers = {"cookie": f"azulejos={cookie}", "origin": self.address}
        return Seat(connect(address, additional_headers=headers, ssl=self.trust, max_size=2**22, open_timeout=PATIENCE))


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    if not (shutil.which("nginx") or Path("/usr/sbin/nginx").exists()):
        pytest.skip("THE DEPLOYMENT WAS NOT TESTED: there is no nginx on this machine")
    with running() as postgres:
        database = f"--database={postgres.fresh()}"
        both = Running(tmp_path, database, "--drain=4"), Running(tmp_path, database, "--drain=4")
        for process in both:
            process.wait_until_ready()
        deployed = Deployment(tmp_path, *both)
        yield deployed
        deployed.nginx.terminate()
        deployed.nginx.wait(30)
        for process in both:
            if process.process.poll() is None:
                process.stop()


def test_the_deployment(deployment: Deployment) -> None:
    while Visitor.here:  # of tests elsewhere, which no fixture sends home
        Visitor.here.pop().close()
    with httpx.Client(base_url=deployment.address, verify=deployment.trust, timeout=PATIENCE) as ana:
        page = ana.get("/")
        assert page.status_code == 200
        assert "Secure" in page.headers["set-cookie"], "the process knows that it is behind TLS"
        assert ana.get("/metrics").status_code == 404
        origin = {"origin": deployment.address}
        form = {"game": "azul", "seat-0": "me", "seat-1": "me"}
        table = ana.post("/tables", data=form, headers=origin).headers["location"].rsplit("/", 1)[1]
        assert ana.post("/tables", data=form, headers={"origin": "https://elsewhere.example"}).status_code == 403
        cookie = ana.cookies["azulejos"]
        with deployment.sit(cookie, table) as first, deployment.sit(cookie, table) as second:
            for _ in range(6):
                done = first.play()
                assert done["type"] == "done"
                for seat in (first, second):
                    while seat.now["number"] < done["number"]:
                        seat.receive()
            number = first.now["number"]
            theirs = [process for process in (deployment.one, deployment.two) if sockets_of(process)]
            assert [sockets_of(process) for process in theirs] == [2], "one table, one process"
            theirs[0].process.terminate()  # it drains: whatever is new goes to the other
            wait_until_told_to_leave(first, second)
            for _ in range(4):
                assert ana.post("/tables", data=form, headers=origin).status_code == 303
                with deployment.sit(cookie, table) as third:
                    assert third.now["number"] == number
        theirs[0].process.wait(60)
        with deployment.sit(cookie, table) as fourth:
            assert fourth.play()["type"] == "done"
        assert ana.get("/").status_code == 200
    assert table not in (deployment.folder / "azulejos.log").read_text()
    assert theirs[0].process.stdout
    theirs[0].process.stdout.close()


def sockets_of(process: Running) -> int:
    found = re.search(r"^azulejos_sockets (\d+)", get(f"{process.address}/metrics").text, re.MULTILINE)
    assert found
    return int(found[1])


def wait_until_told_to_leave(*seats: Seat) -> None:
    """Until one of them is."""
    end = time.monotonic() + PATIENCE
    while True:
        for seat in seats:
            with suppress(TimeoutError):
                if seat.receive(timeout=0.1)["type"] == "notice":
                    return
        assert time.monotonic() < end, "nobody was told"
