"""Files in deploy/: other programs read them without a complaint, and the server works with them as documented."""

import csv
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import httpx
import msgspec
import pytest
from playwright.sync_api import expect
from prometheus_client.metrics_core import Metric

from kontor.thinking import Thinkers
from kontor.web.operation import metrics
from ports import free_ports
from timeouts import HANG_TIMEOUT, waited_for
from web import test_workers as workers
from web.browsers import BROWSER_TIMEOUT, Chromium
from web.guests import Guest, open_shanghaien
from web.slow_players import Program
from web.test_operation import Figures, events, move, open_table
from web.test_serve import Process, serving

pytestmark = pytest.mark.process

WITH_OTHERS: Final = pytest.mark.extended
"""Mark of the tests in which other programs read our files."""

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DOCS = ROOT / "docs"
KONTOR = str(Path(sys.executable).with_name("kontor"))


def program(name: str) -> str:
    """Return the path of a program. Without it a test is skipped; under CI it fails."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None:
        reason = f"{name} is not installed: a file of deploy/ is not tried"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


# -------------------------------------------------------------------------------------------------------- systemd


@WITH_OTHERS
def test_systemd_understands_the_unit_and_finds_it_well_confined(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    unit = tmp_path / "kontor.service"
    kontor = Path(sys.executable).with_name("kontor")
    unit.write_text((DEPLOY / "kontor.service").read_text().replace("/opt/kontor/.venv/bin/kontor", str(kontor)))
    verified = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=20", str(unit)], check=True, capture_output=True
    )


# ------------------------------------------------------------------------------------------------------ Prometheus


def families() -> list[Metric]:
    return [*metrics.REGISTRY.collect(), *metrics.ThinkerMetrics(Thinkers(1)).collect()]


ENDINGS = {"counter": ("_total",), "histogram": ("_count", "_sum", "_bucket"), "gauge": ("",)}


def test_every_alert_asks_for_figures_that_there_are() -> None:
    (group,) = msgspec.yaml.decode((DEPLOY / "alerts.yml").read_bytes())["groups"]
    names = {name for rule in group["rules"] for name in re.findall(r"kontor_\w+", rule["expr"])}
    assert len(names) >= 6
    assert names <= {f"{family.name}{end}" for family in families() for end in ENDINGS[family.type]}
    for rule in group["rules"]:
        assert rule.keys() == {"alert", "expr", "for", "labels", "annotations"}


def test_every_figure_is_told_of_in_the_documentation_and_no_other() -> None:
    with (DOCS / "metrics.csv").open(encoding="utf-8", newline="") as file:
        documented = {row["figure"] for row in csv.DictReader(file)}
    assert documented == {
        f"{family.name}_total" if family.type == "counter" else family.name for family in families()
    }


# -------------------------------------------------------------------------------------------------------- proxies


OPENSSL = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"


def make_certificate(folder: Path) -> tuple[Path, Path]:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [program("openssl"), *OPENSSL.split(), "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    return certificate, key


Other = tuple[str, str]
"""Words of a file, and the words that replace them in a test."""


def with_others(file: str, *others: Other) -> str:
    """Return one of our files with some of its words replaced."""
    text = (DEPLOY / file).read_text()
    for old, new in others:
        assert old in text
        text = text.replace(old, new)
    return text


@contextmanager
def nginx(folder: Path, *ports: int, others: Sequence[Other] = (), own_port: int = 0) -> Iterator[str]:
    """Run nginx with our file; yield the address of the server behind it.

    Only names, ports, the certificate and ``others`` are replaced. The server's processes listen on ``ports``, nginx
    on ``own_port`` if it is given.
    """
    program_ = program("nginx")
    (certificate, key), own_port = make_certificate(folder), own_port or free_ports()
    site = with_others(
        "nginx.conf",
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{own_port} ssl http2;"),
        ("listen 80;", f"listen 127.0.0.1:{free_ports()};"),
        ("/etc/letsencrypt/live/games.example/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/games.example/privkey.pem", str(key)),
        ("/var/log/nginx/kontor.log", str(folder / "kontor.log")),
        ("    server 127.0.0.1:1729;\n", "".join(f"    server 127.0.0.1:{port};\n" for port in ports)),
        ("games.example", "localhost"),
        *others,
    )
    (folder / "site.conf").write_text(site)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.geteuid() == 0 else ''}\ndaemon off;\npid {folder}/pid;\nworker_processes 1;\n"
        f"error_log {folder}/nginx.log;\nevents {{ worker_connections 512; }}\n"
        f"http {{\n{temporary}include {folder}/site.conf;\n}}\n"
    )
    process = subprocess.Popen(
        [program_, "-e", str(folder / "nginx.log"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    )
    try:
        waited_for(lambda: (folder / "pid").exists() or process.poll() is not None)
        assert process.poll() is None, (folder / "nginx.log").read_text()
        yield f"https://localhost:{own_port}"
    finally:
        process.terminate()
        process.wait(HANG_TIMEOUT)


@contextmanager
def caddy(folder: Path, *ports: int, others: Sequence[Other] = (), own_port: int = 0) -> Iterator[str]:
    """Run Caddy in the same way. It fetches no certificate if one is given."""
    program_ = program("caddy")
    (certificate, key), own_port = make_certificate(folder), own_port or free_ports()
    site = with_others(
        "Caddyfile",
        ("{\n\t# Whoever", "{\n\tadmin off\n\tauto_https disable_redirects\n\t# Whoever"),
        ("{$GAMES:games.example} {", f"https://localhost:{own_port} {{\n\ttls {certificate} {key}"),
        (
            "reverse_proxy {$KONTOR:127.0.0.1:1729}",
            " ".join(["reverse_proxy", *(f"127.0.0.1:{port}" for port in ports)]),
        ),
        *others,
    )
    (folder / "Caddyfile").write_text(site)
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(
            [program_, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"],
            stderr=log,
            env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        )
    try:
        waited_for(lambda: answers(own_port) or process.poll() is not None)
        assert process.poll() is None, (folder / "caddy.log").read_text()
        yield f"https://localhost:{own_port}"
        assert not errors_of(folder / "caddy.log")
    finally:
        process.terminate()
        process.wait(HANG_TIMEOUT)


LEFT = ("aborting with incomplete response", "context canceled")
"""Message and error of Caddy when a client has left a stream that Kontor would have continued."""


def errors_of(log: Path) -> list[str]:
    """Return the errors that Caddy logged, except those about a client that left."""
    entries = [(line, msgspec.json.decode(line)) for line in log.read_text().splitlines() if line.startswith("{")]
    return [
        line for line, entry in entries if entry["level"] == "error" and (entry["msg"], entry.get("error")) != LEFT
    ]


def answers(port: int) -> bool:
    with socket.socket() as calling:
        return calling.connect_ex(("127.0.0.1", port)) == 0


Proxy = Callable[..., AbstractContextManager[str]]
PROXIES: Final = (nginx, caddy)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """Yield a server, which one proxy after another uses."""
    with serving(tmp_path_factory.mktemp("house"), 0, "--proxy", "127.0.0.1") as served:
        yield served


TO_ONE_SERVER: Final = pytest.mark.xdist_group("behind a proxy")


@WITH_OTHERS
@TO_ONE_SERVER
@pytest.mark.parametrize("proxy", PROXIES)
def test_behind_a_proxy_many_tables_live_in_one_browser_and_the_server_knows_who_comes(
    proxy: Proxy, served: Process, tmp_path: Path, chromium: Chromium
) -> None:
    with ExitStack() as open_:
        address = open_.enter_context(proxy(tmp_path, served.port))
        context = chromium.new_context(base_url=address, ignore_https_errors=True)
        context.set_default_timeout(BROWSER_TIMEOUT)
        open_.callback(context.close)
        page = context.new_page()
        page.goto("/")
        page.locator("#name").fill("Anna")
        page.locator("#name-go").click()
        expect(page.locator("#mine")).to_be_visible()
        (session,) = [cookie for cookie in context.cookies() if cookie["name"] == "__Host-kontor"]
        assert session["secure"], "X-Forwarded-Proto says that the page came over https"
        entry = page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
        assert entry == "h2"

        anna = open_.enter_context(Guest(served.first, headers={"cookie": f"kontor={session['value']}"}))
        paths = [open_shanghaien(anna, chair__2="here", name__2="Bernd", starter="0") for _ in range(8)]
        pages = []
        for path in paths:
            pages.append(context.new_page())
            pages[-1].goto(path)
        for each in pages:  # with HTTP/1.1 a browser would open only six streams
            expect(each.locator("#connection .live")).to_be_visible()
        for path, each in zip(paths, pages, strict=True):
            anna.press(anna.get(path).moves[0])
            expect(each.locator("#now")).to_contain_text("Anna rolled")
        check_behind(address)


def check_behind(address: str) -> None:
    """Check that security headers come once, and that large bodies are refused, behind any proxy."""
    with httpx.Client(base_url=address, verify=False) as client:  # noqa: S501 (the certificate is a minute old)
        answer = client.get("/")
        assert answer.headers.get_list("strict-transport-security") == ["max-age=31536000; includeSubDomains"]
        form = {"sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded"}
        assert client.post("/name", content=b"x" * 70_000, headers=form).status_code == 413


@WITH_OTHERS
def test_behind_a_proxy_all_that_is_about_a_table_goes_to_one_worker(tmp_path: Path, database: str) -> None:
    first = free_ports(2)
    figures = [Figures(first), Figures(first + 1)]
    with workers.serving(database, "--workers", "2", "--metrics", figures[0].at, "--proxy", "127.0.0.1") as served:
        ports = [int(address.rpartition(":")[2]) for address in served.addresses]
        for proxy in PROXIES:
            (folder := tmp_path / proxy.__name__).mkdir()
            with proxy(folder, *ports) as address:
                check_each_table_has_its_worker(address, figures)


def check_each_table_has_its_worker(address: str, figures: list[Figures]) -> None:
    with Guest(address, "Anna", verify=False) as anna, Program(address, "Bernd", verify=False) as program:
        workers_of: dict[Callable[[], int], set[int]] = {
            partial(about_a_page, anna): set(),
            partial(about_a_program, program): set(),
        }
        for _ in range(30):
            for play, having in workers_of.items():
                for each in figures:
                    each.begin()
                times = play()
                requests = [about_tables(each) for each in figures]
                assert sorted(requests)[0] == 0, "one of them has the table, and was asked by all"
                assert sum(requests) >= times
                having.add(requests.index(max(requests)))
            if all(having == {0, 1} for having in workers_of.values()):
                return
        pytest.fail("thirty tables are all with one worker")


# ---------------------------------------------------------------------------- attempts of strangers behind a proxy


FIVE_NAMES = (
    sys.executable,
    "-c",
    "from kontor.web.http.limits import LIMITS, Limit; LIMITS['name'] = Limit(1, 0.01)\n"
    "from kontor.cli import main; main()",
    "serve",
)
"""Command for a server where five people can name themselves from an address, and then no one for a long time."""

FORGED = (
    {"x-forwarded-for": "192.0.2.1"},
    {"x-forwarded-for": "192.0.2.2, 127.0.0.1"},
    {"x-forwarded-for": "127.0.0.1"},
    {"x-forwarded-for": "127.0.0.3"},
    {"x-forwarded-for": "2001:db8::1", "forwarded": "for=192.0.2.4", "x-real-ip": "192.0.2.5"},
    {"x-forwarded-for": ""},
    {"x-forwarded-for": "192.0.2.6, nonsense"},
)
"""Forged headers about the client's address, each with another claim."""


@WITH_OTHERS
@pytest.mark.parametrize("believed", ["127.0.0.1", "127.0.0.0/31", "*"])
def test_behind_a_proxy_nobody_is_somebody_else_by_what_they_say(tmp_path: Path, believed: str) -> None:
    with serving(tmp_path / "house", 0, "--proxy", believed, serve=FIVE_NAMES) as served:
        for place, proxy in enumerate(PROXIES):
            one, other = f"127.0.{place}.2", f"127.0.{place}.3"
            (folder := tmp_path / proxy.__name__).mkdir()
            with proxy(folder, served.port) as address:
                assert request_statuses(address, one, *FORGED) == [201] * 5 + [429] * 2, (
                    "one who says many things is one"
                )
                assert request_statuses(address, other, *FORGED[:1] * 6) == [201] * 5 + [429], (
                    "two who say the same are two"
                )


def request_statuses(address: str, local_address: str, *forged: dict[str, str]) -> list[int]:
    """Return the status codes of requests from this address, each with other forged headers."""
    line = httpx.HTTPTransport(verify=False, local_address=local_address)
    with httpx.Client(base_url=address, transport=line) as client:
        answers = [
            client.post("/api/people", json={"name": "M"}, headers={**headers, "x-forwarded-proto": "http"})
            for headers in forged
        ]
    assert all("strict-transport-security" in answer.headers for answer in answers), "it came over https"
    return [answer.status_code for answer in answers]


@pytest.mark.parametrize(
    "arguments", [("--proxy", "127.0.0.9/8"), ("--proxy", "::1, 127.0.0.1"), ("--host", "::", "--proxy", "127.0.0.1")]
)
def test_a_proxy_is_known_however_it_is_written_and_wherever_it_connects(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """Check that people behind the proxy keep addresses of their own.

    Otherwise one of them could use up the limits of all.
    """
    with serving(tmp_path, 0, *arguments, serve=FIVE_NAMES) as served:
        for number in range(7):
            forwarded = {"x-forwarded-for": f"192.0.2.{number}"}
            address = f"http://127.0.0.1:{served.port}/api/people"
            assert httpx.post(address, json={"name": "M"}, headers=forwarded).status_code == 201


@WITH_OTHERS
@TO_ONE_SERVER
@pytest.mark.parametrize("proxy", PROXIES)
def test_a_proxy_cuts_whoever_sends_slowly_and_no_stream(proxy: Proxy, served: Process, tmp_path: Path) -> None:
    """Check that slow senders are cut within a second, with a shorter timeout in the same lines of its file."""
    with (
        proxy(tmp_path, served.port, others=[("10s", "1s"), ("30s", "1s")]) as address,
        Guest(address, "Anna", verify=False) as anna,
    ):
        path = open_shanghaien(anna, chair__2="here", name__2="Bernd", starter="0")
        with anna.client.stream("GET", f"{path}/live") as stream:
            received = events(stream)
            next(received)
            head = f"POST /name HTTP/1.1\r\nHost: localhost\r\nOrigin: {address}\r\n".encode()
            form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n"
            for begun in (b"", b"GET / HTTP/1.1\r\nHost: loc", head + form + b"name=A"):
                assert not send_slowly(address, begun).startswith(b"HTTP/1.1 2"), begun
            long = head + b"A: " + b"x" * 60_000 + b"\r\n\r\n"
            assert re.match(rb"HTTP/1.1 4\d\d ", send_slowly(address, long))
            anna.press(anna.get(path).moves[0])
            next(received)


def send_slowly(address: str, begun: bytes) -> bytes:
    """Send a beginning of a request and nothing more; return what the proxy answers until it hangs up."""
    believing = ssl.create_default_context()
    believing.check_hostname, believing.verify_mode = False, ssl.CERT_NONE
    server = ("127.0.0.1", int(address.rpartition(":")[2]))
    heard = b""
    with (
        socket.create_connection(server, HANG_TIMEOUT) as line,
        suppress(ConnectionError, ssl.SSLError),
        believing.wrap_socket(line, server_hostname="localhost") as calling,
    ):
        calling.sendall(begun)
        while piece := calling.recv(65536):
            heard += piece
    return heard


def about_tables(figures: Figures) -> int:
    """Return the number of responses about a table that a worker has given."""
    count = "kontor_answer_seconds_count"
    routes = {sample.labels["route"] for sample in figures.samples() if sample.name == count}
    return int(sum(figures(count, route=route) for route in routes if "{table}" in route))


def about_a_page(anna: Guest) -> int:
    """Open a table in a browser, follow it and play; return the number of requests about it."""
    path = open_shanghaien(anna, chair__2="here", name__2="Carla", starter="0")
    with anna.client.stream("GET", f"{path}/live") as stream:
        received = events(stream)
        next(received)
        for _ in range(3):
            anna.press(anna.get(path).moves[0])
            next(received)
    return 1 + 3 * 2


def about_a_program(program: Program) -> int:
    """Do the same with a program."""
    table = open_table(program, {"kind": "here", "name": "Carla"})
    with program.client.stream("GET", f"tables/{table}/stream") as stream:
        received = events(stream)
        next(received)
        for _ in range(3):
            move(program, table)
            next(received)
    return 1 + 3 * 2


@WITH_OTHERS
def test_compose_sets_what_kontor_and_caddy_take_from_the_environment(tmp_path: Path) -> None:
    services = msgspec.yaml.decode((DEPLOY / "compose.yaml").read_bytes())["services"]
    composed = subprocess.run(
        [KONTOR, "serve", "--help"], env={**os.environ, "LANGUAGE": "en"}, capture_output=True, text=True
    )
    for service in ("kontor", "backup"):
        given = services[service]["environment"]
        assert "KONTOR_DATABASE" in given
        assert [name for name in given if name not in composed.stdout] == []
        assert services[service]["read_only"]
    environment = {**os.environ, **services["caddy"]["environment"], "GAMES": "games.example"}
    adapted = subprocess.run(
        [program("caddy"), "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"],
        env={**environment, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert '"upstreams":[{"dial":"kontor:1729"}]' in adapted
    assert '"host":["games.example"]' in adapted
    assert f"kontor:{services['kontor']['expose'][0]}" == services["caddy"]["environment"]["KONTOR"]


@WITH_OTHERS
def test_the_commands_of_the_container_are_those_of_this_kontor(tmp_path: Path) -> None:
    lines = (DEPLOY / "Containerfile").read_text().replace("\\\n", "")
    entry = command(lines, "ENTRYPOINT")
    check = command(lines, "CMD")
    port = free_ports()
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "LANGUAGE": "en"}
    kontor = str(Path(sys.executable).with_name(entry[0]))
    service = subprocess.Popen([kontor, *entry[1:], "--port", str(port)], env=environment, stdout=subprocess.PIPE)
    try:
        assert service.stdout
        assert service.stdout.readline()
        healthy = [part.replace("1729", str(port)) for part in check[1:]]
        waited_for(lambda: subprocess.run([sys.executable, *healthy], check=False).returncode == 0)
        service.terminate()
        service.communicate(timeout=HANG_TIMEOUT)
        assert service.returncode == 0
        assert subprocess.run([sys.executable, *healthy], check=False, capture_output=True).returncode != 0
        assert (tmp_path / "kontor" / "kontor.db").exists()
    finally:
        service.kill()
        service.communicate()


def command(lines: str, of: str) -> list[str]:
    """Return the command that an instruction of a container file runs."""
    (words,) = re.findall(rf"{of} (\[.*\])$", lines, re.MULTILINE)
    return msgspec.json.decode(words, type=list[str])
