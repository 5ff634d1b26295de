"""`kubemerge spec add` and `codegen.read` with a local HTTPS server."""

from __future__ import annotations

import base64
import contextlib
import gc
import gzip
import hashlib
import json
import socket
import ssl
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import trustme

import codegen
from codegen import SpecError
from codegen.reading import facts_of
from codegen.sources.fetch import Fetch
from codegen.sources.opening import cluster_documents

from ...conftest import contents
from ..sample_specs import components, kubemerge, release, whole
from .serving import Served, body, redirect, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

DOCUMENT = json.dumps(release(field={"type": "string"})).encode()


@dataclass
class Authority:
    """A local certificate authority, and the files that a client needs."""

    ca: trustme.CA
    folder: Path

    @property
    def ca_file(self) -> str:
        return str(self.folder / "ca.pem")

    def server(self, *, ask_client: bool = False) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.ca.issue_cert("localhost").configure_cert(context)
        if ask_client:
            self.ca.configure_trust(context)
            context.verify_mode = ssl.CERT_REQUIRED
        return context


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    folder = tmp_path_factory.mktemp("authority")
    ca = trustme.CA()
    ca.cert_pem.write_to_path(str(folder / "ca.pem"))
    client = ca.issue_cert("client@localhost")
    client.private_key_pem.write_to_path(str(folder / "client.key"))
    client.cert_chain_pems[0].write_to_path(str(folder / "client.pem"))
    client.private_key_and_cert_chain_pem.write_to_path(str(folder / "both.pem"))
    (folder / "token").write_text("s3cret\n")
    return Authority(ca, folder)


@pytest.fixture
def https(authority: Authority) -> Iterator[Served]:
    with serving(authority.server()) as served:
        yield served


@pytest.fixture
def http() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.fixture
def fetch(authority: Authority) -> Fetch:
    """Like the real one, but it does not wait between retries."""
    return Fetch(ca_file=authority.ca_file, timeout=5, deadline=10, sleep=lambda _: None)


@pytest.fixture
def add(tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """`kubemerge spec add 1.38` into a folder that has a snapshot already."""
    monkeypatch.setattr("codegen.sources.fetch.Fetch", partial(Fetch, sleep=lambda _: None))
    folder = tmp_path / "openapi"
    good = tmp_path / "good.json"
    good.write_bytes(DOCUMENT)
    assert kubemerge("spec", "add", "1.37", "--from", good, "--openapi", folder) == 0

    def run(*words: object) -> int:
        return kubemerge("spec", "add", "1.38", "--ca-file", authority.ca_file, "--openapi", folder, *words)

    return run


def files(tmp_path: Path) -> list[str]:
    """The contents of the snapshot folder, including unexpected files."""
    return sorted(file.name for file in (tmp_path / "openapi").iterdir())


def test_adding_a_release_from_an_address(https: Served, add: Callable[..., int], tmp_path: Path) -> None:
    url = https.at("/swagger.json", body(DOCUMENT))
    digest = hashlib.sha256(DOCUMENT).hexdigest()
    assert add("--from", url, "--sha256", digest.upper()) == 0
    assert files(tmp_path) == ["1.37.json", "1.38.json", "SOURCES"]
    line = (tmp_path / "openapi" / "SOURCES").read_text().splitlines()[-1].split()
    snapshot = (tmp_path / "openapi" / "1.38.json").read_bytes()
    assert line == ["1.38", hashlib.sha256(snapshot).hexdigest(), digest, url]
    assert ("test/v1", "Thing") in codegen.read(tmp_path / "openapi" / "1.38.json")
    assert kubemerge("spec", "check", "--openapi", tmp_path / "openapi") == 0


def test_adding_it_again_gives_the_same_bytes(https: Served, add: Callable[..., int], tmp_path: Path) -> None:
    url = https.at("/swagger.json", body(DOCUMENT))
    assert add("--from", url) == 0
    before = contents(tmp_path)
    assert add("--from", url) == 0
    assert contents(tmp_path) == before


def cut(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(DOCUMENT)))
    handler.end_headers()
    handler.wfile.write(DOCUMENT[: len(DOCUMENT) // 2])


def cut_chunk(handler: BaseHTTPRequestHandler) -> None:
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"1000\r\n" + DOCUMENT[:10])


def no_answer(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.close()


BAD: dict[str, tuple[Any, str, int]] = {
    # by description: the response, a part of the message, the number of requests
    "404": (body(b"no", 404), "found 404 Not Found", 1),
    "401": (body(b"no", 401), "found 401 Unauthorized", 1),
    "403": (body(b"no", 403), "found 403 Forbidden", 1),
    "410": (body(b"no", 410), "found 410 Gone", 1),
    "204": (body(b"", 204), "found 204", 1),
    "206": (body(DOCUMENT, 206), "found 206", 1),
    "304": (body(b"", 304), "found 304", 1),
    "429": (body(b"slower", 429), "found 429", 4),
    "500": (body(b"oops", 500), "found 500 Internal Server Error", 4),
    "502": (body(b"oops", 502), "found 502", 4),
    "503": (body(b"oops", 503), "found 503", 4),
    "504": (body(b"oops", 504), "found 504", 4),
    "a cut connection": (cut, "expected a whole answer", 4),
    "a cut chunk": (cut_chunk, "expected a whole answer", 4),
    "no answer at all": (no_answer, "expected a whole answer", 4),
    "a redirect to itself": (redirect("/x"), "a redirect loop", 6),
    "a redirect without an address": (redirect(""), "expected", 0),
    "a redirect to a file": (redirect("file:///etc/passwd"), "expected an answer", 1),
    "a redirect to nothing": (redirect("https://"), "a redirect loop", 6),
    "HTML": (body(b"<html>Sign in</html>", Content_Type="application/json"), "an HTML or XML page", 1),
    "nothing": (body(b""), "expected a specification; found nothing", 1),
    "a damaged encoding": (body(DOCUMENT, Content_Encoding="gzip"), "expected an answer", 1),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_a_bad_answer(
    case: tuple[Any, str, int],
    https: Served,
    add: Callable[..., int],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer, message, times = case
    url = https.at("/x", answer)
    before = contents(tmp_path)
    assert add("--from", url) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"kubemerge: {url}")
    assert message in said
    assert contents(tmp_path) == before
    assert len(https.requests) == times or not times


def test_a_wrong_sha256(
    https: Served, add: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(tmp_path)
    assert add("--from", https.at("/x", body(DOCUMENT)), "--sha256", "0" * 64) == 2
    assert hashlib.sha256(DOCUMENT).hexdigest() in capsys.readouterr().err
    assert contents(tmp_path) == before


def test_retry_succeeds(https: Served, fetch: Fetch) -> None:
    waits: list[float] = []
    url = https.at("/x", body(b"", 503), cut, body(b"", 429), body(DOCUMENT))
    assert replace(fetch, sleep=waits.append).get(url) == DOCUMENT
    assert waits == [0.5, 1.0, 2.0]
    assert https.paths == ["/x"] * 4


def drip(served: Served, *, head: bytes, piece: bytes) -> Any:
    """A response that never ends."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        while not served.stopping.wait(0.05):
            handler.wfile.write(piece)
            handler.wfile.flush()

    return answer


DRIPS = {
    "of a body": (b"HTTP/1.0 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x"),
    "of a body without a length": (b"HTTP/1.0 200 OK\r\n\r\n", b" "),
    "of small chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    "of one chunk": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n", b"x"),
    "of headers": (b"HTTP/1.0 200 OK\r\nX-Long: ", b"x"),
    "of the first line": (b"", b"H"),
}


@pytest.mark.parametrize("pieces", DRIPS.values(), ids=DRIPS)
def test_a_slow_drip_ends_at_the_deadline(pieces: tuple[bytes, bytes], http: Served, fetch: Fetch) -> None:
    head, piece = pieces
    start = time.monotonic()
    with pytest.raises(SpecError) as caught:
        replace(fetch, deadline=0.4).get(http.at("/x", drip(http, head=head, piece=piece)))
    assert time.monotonic() - start < 3
    assert caught.value.expected == "a whole answer within 0.4 seconds"
    assert http.paths == ["/x"]


def test_silent_server_times_out(http: Served, fetch: Fetch) -> None:
    url = http.at("/x", lambda _: http.stopping.wait(30))
    with pytest.raises(SpecError) as caught:
        replace(fetch, timeout=0.2, tries=2).get(url)
    assert (caught.value.expected, caught.value.found) == ("an answer", "none within 0.2 seconds")
    assert len(http.requests) == 2


def test_no_listener(http: Served, fetch: Fetch) -> None:
    with pytest.raises(SpecError) as caught:
        fetch.get("http://localhost:1/x")
    assert str(caught.value) == "http://localhost:1/x: the address cannot be reached: connection refused"
    assert (caught.value.expected, caught.value.found) == ("a server that can be reached", "connection refused")


@pytest.mark.parametrize("source", ["ftp://example.test/x", "file:///x"])
def test_other_addresses_are_not_paths(source: str) -> None:
    with pytest.raises(SpecError, match=f"^{source}: expected an http or https address$"):
        codegen.read(source)


def test_missing_proxy(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://localhost:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(SpecError, match="the address cannot be reached: its proxy, connection refused"):
        fetch.get("http://example.test/x")


def test_unknown_host_name(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(SpecError, match=r"^http://nobody/x: the address cannot be reached: name or service not known$"):
        fetch.get("http://nobody/x")


def chunked(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(100):
        handler.wfile.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
    handler.wfile.write(b"0\r\n\r\n")


LARGE = {
    "announced": body(b"x" * 200_000),
    "in chunks": chunked,
    "packed": body(gzip.compress(b"x" * 200_000), Content_Encoding="gzip"),
    "announced wrongly": lambda handler: handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 200_000),
}


@pytest.mark.parametrize("answer", LARGE.values(), ids=LARGE)
def test_an_answer_that_is_too_large(
    answer: Any, https: Served, add: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("fetch", "unpacked", "opening"):
        monkeypatch.setattr(f"codegen.sources.{module}.MAX_BYTES", 100_000)
    before = contents(tmp_path)
    assert add("--from", https.at("/x", answer)) == 2
    assert contents(tmp_path) == before
    assert len(https.requests) == 1


@pytest.mark.parametrize("answer", LARGE.values(), ids=LARGE)
def test_an_answer_that_is_too_large_is_not_read_to_its_end(
    answer: Any, http: Served, fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codegen.sources.fetch.MAX_BYTES", 100_000)
    with pytest.raises(SpecError, match="expected at most"):
        fetch.get(http.at("/x", answer))


def test_announced_size_is_rejected_before_the_body(https: Served, fetch: Fetch) -> None:
    head = b"HTTP/1.0 200 OK\r\nContent-Length: 200000000\r\n\r\n"
    with pytest.raises(SpecError, match="at most 128 MiB"):
        fetch.get(https.at("/x", drip(https, head=head, piece=b"")))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # urllib3 leaves a socket open at "1, 2"
@pytest.mark.parametrize("length", ["-1", "\xb2", "9" * 5000, "1, 2", "abc", ""])
def test_invalid_announced_size(length: str, http: Served, fetch: Fetch) -> None:
    head = b"HTTP/1.0 200 OK\r\nContent-Length: " + length.encode("latin-1") + b"\r\n\r\n"
    url = http.at("/x", lambda handler: handler.wfile.write(head + DOCUMENT))
    with contextlib.suppress(SpecError):
        assert replace(fetch, tries=1).get(url) == DOCUMENT
    gc.collect()


def test_an_answer_in_gzip_is_unpacked_once(https: Served, fetch: Fetch) -> None:
    pack = gzip.compress(DOCUMENT)
    assert fetch.get(https.at("/a", body(pack, Content_Encoding="gzip"))) == DOCUMENT
    assert ("test/v1", "Thing") in codegen.read(https.at("/b.json.gz", body(pack)), fetch=fetch)


def test_an_untrusted_certificate(https: Served, fetch: Fetch) -> None:
    url = https.at("/x", body(DOCUMENT))
    with pytest.raises(SpecError) as caught:
        replace(fetch, ca_file=None).get(url)
    assert caught.value.expected == "a certificate that can be verified (see --ca-file)"
    assert https.requests == []


def test_a_certificate_of_another_name(https: Served, fetch: Fetch) -> None:
    url = https.at("/x", body(DOCUMENT)).replace("localhost", "127.0.0.1")
    with pytest.raises(SpecError, match="certificate"):
        fetch.get(url)
    assert https.requests == []


@pytest.mark.parametrize("word", ["ca_file", "client_cert", "token_file"])
@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"a\nb"], ids=["missing", "empty", "no text", "lines"])
def test_invalid_credentials_file(
    word: str, content: bytes | None, https: Served, fetch: Fetch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    credentials: dict[str, Any] = {word: str(file)}
    with pytest.raises(SpecError):
        replace(fetch, tries=1, **credentials).get(https.at("/x", body(DOCUMENT)))


def test_redirect_from_https_to_http_is_rejected(https: Served, http: Served, fetch: Fetch) -> None:
    url = https.at("/x", redirect(http.at("/y", body(DOCUMENT))))
    with pytest.raises(SpecError, match="expected an answer over https"):
        fetch.get(url)


def test_redirect_through_http_is_rejected(https: Served, http: Served, fetch: Fetch) -> None:
    url = https.at("/x", redirect(http.at("/y", redirect(https.at("/z", body(DOCUMENT))))))
    with pytest.raises(SpecError, match="expected an answer over https"):
        fetch.get(url)


def test_a_redirect_is_followed(https: Served, fetch: Fetch) -> None:
    https.at("/y", body(DOCUMENT))
    assert fetch.get(https.at("/x", redirect("/y"))) == DOCUMENT


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "https:///x",
        "http://[::1",
        "http://localhost:99999/",
        "http://localhost:0/",
        "http://a b/",
        "http://\ud800/",
        "http://" + "a" * 300 + "/",
        "https://-/",
    ],
)
def test_invalid_address(url: str, fetch: Fetch) -> None:
    with pytest.raises(SpecError):
        replace(fetch, tries=1).get(url)


V3_DOCUMENT = components(
    {
        "test.v1.Thing": {
            "type": "object",
            "x-kubernetes-group-version-kind": [{"group": "test", "version": "v1", "kind": "Thing"}],
        }
    }
)


def test_the_documents_that_a_server_lists(https: Served, fetch: Fetch) -> None:
    names = {"api/v1": "/openapi/v3/api/v1?hash=1", "apis/test/v1": "/openapi/v3/apis/test/v1?hash=2"}
    index = {"paths": {name: {"serverRelativeURL": path} for name, path in names.items()}}
    url = https.at("/openapi/v3", body(json.dumps(index).encode()))
    https.at("/openapi/v3/api/v1?hash=1", body(json.dumps(components({"a.B": {"type": "object"}})).encode()))
    https.at("/openapi/v3/apis/test/v1?hash=2", body(json.dumps(V3_DOCUMENT).encode()))
    tables = codegen.read(url, fetch=fetch)
    assert tables.kinds() == [("test/v1", "Thing")]
    assert tables.definitions() == ["a.B", "test.v1.Thing"]
    assert https.paths == ["/openapi/v3", *names.values()]


@pytest.mark.parametrize(
    "elsewhere", ["https://elsewhere.example/x", "//elsewhere.example/x", "http://localhost/x", "file:///etc/passwd"]
)
def test_index_with_links_to_another_server(elsewhere: str, https: Served, fetch: Fetch) -> None:
    index = {"paths": {"api/v1": {"serverRelativeURL": elsewhere}}}
    with pytest.raises(SpecError, match="an address on this server for 'api/v1'"):
        codegen.read(https.at("/openapi/v3", body(json.dumps(index).encode())), fetch=fetch)


def test_an_index_of_the_wrong_shape(https: Served, fetch: Fetch) -> None:
    index = {"paths": {"api/v1": {"serverRelativeURL": "/x"}, "apis": {"serverRelativeURL": 3}}}
    with pytest.raises(SpecError) as caught:
        codegen.read(https.at("/openapi/v3", body(json.dumps(index).encode())), fetch=fetch)
    assert caught.value.pointer == "/paths/apis/serverRelativeURL"


def test_a_document_that_the_index_lists_is_missing(https: Served, fetch: Fetch) -> None:
    index = {"paths": {"api/v1": {"serverRelativeURL": "/openapi/v3/api/v1"}}}
    with pytest.raises(SpecError) as caught:
        codegen.read(https.at("/openapi/v3", body(json.dumps(index).encode())), fetch=fetch)
    assert caught.value.source == f"{https.address}/openapi/v3/api/v1"


def test_a_live_cluster(https: Served, add: Callable[..., int], tmp_path: Path, authority: Authority) -> None:
    index = {"paths": {"apis/test/v1": {"serverRelativeURL": "/openapi/v3/apis/test/v1"}}}
    https.at("/openapi/v3", body(json.dumps(index).encode()))
    https.at("/openapi/v3/apis/test/v1", body(json.dumps(whole(V3_DOCUMENT)).encode()))
    token = authority.folder / "token"
    assert add("--server", https.address + "/", "--token-file", token) == 0
    assert files(tmp_path) == ["1.37.json", "1.38.json", "SOURCES"]
    assert [headers["Authorization"] for _, headers in https.requests] == ["Bearer s3cret"] * 2
    assert (tmp_path / "openapi" / "SOURCES").read_text().endswith(f"{https.address}/ (a live cluster)\n")


def test_tables_of_a_live_cluster(https: Served, tmp_path: Path, authority: Authority) -> None:
    index = {"paths": {"apis/test/v1": {"serverRelativeURL": "/openapi/v3/apis/test/v1"}}}
    https.at("/openapi/v3", body(json.dumps(index).encode()))
    https.at("/openapi/v3/apis/test/v1", body(json.dumps(V3_DOCUMENT).encode()))
    words = ("generate", "--server", https.address, "--token-file", authority.folder / "token")
    out = tmp_path / "mycluster"
    assert kubemerge(*words, "--ca-file", authority.ca_file) == 2
    assert kubemerge(*words, "--ca-file", authority.ca_file, "--out", out) == 0
    assert kubemerge(*words, "--ca-file", authority.ca_file, "--out", out, "--check") == 0
    assert "'Thing'" in (out / "index.py").read_text()
    assert {headers["Authorization"] for _, headers in https.requests} == {"Bearer s3cret"}


def test_an_old_cluster_that_has_only_openapi_v2(http: Served, fetch: Fetch) -> None:
    http.at("/openapi/v2", body(DOCUMENT))
    found = facts_of(cluster_documents(http.address, replace(fetch, server=http.address)), "cluster")
    assert "Thing" in [kind.kind for kind in found.kinds]
    assert http.paths == ["/openapi/v3", "/openapi/v2"]


@pytest.mark.parametrize("status", [401, 403, 500])
def test_no_openapi_v2_request_after_a_forbidden_response(status: int, http: Served, fetch: Fetch) -> None:
    http.at("/openapi/v3", body(b"", status))
    with pytest.raises(SpecError, match=str(status)):
        cluster_documents(http.address, replace(fetch, server=http.address))
    assert set(http.paths) == {"/openapi/v3"}


def test_token_is_sent_only_to_the_server(https: Served, authority: Authority, fetch: Fetch) -> None:
    with serving(authority.server()) as other:
        mine = replace(fetch, server=https.address, token_file=str(authority.folder / "token"))
        mine.get(https.at("/x", redirect(other.at("/y", body(DOCUMENT)))))
        with pytest.raises(SpecError, match="certificate"):
            mine.get(other.at("/z", body(DOCUMENT)))  # the server's authority is not trusted for another one either
        assert https.requests[0][1]["Authorization"] == "Bearer s3cret"
        assert [(path, headers["Authorization"]) for path, headers in other.requests] == [("/y", None)]


def test_a_client_certificate(authority: Authority, fetch: Fetch) -> None:
    with serving(authority.server(ask_client=True)) as served:
        url = served.at("/x", body(DOCUMENT))
        pem, key, both = (str(authority.folder / name) for name in ("client.pem", "client.key", "both.pem"))
        mine = replace(fetch, server=served.address)
        assert replace(mine, client_cert=pem, client_key=key).get(url) == DOCUMENT
        assert replace(mine, client_cert=both).get(url) == DOCUMENT
        with pytest.raises(SpecError):
            mine.get(url)


def test_progress_is_reported(https: Served, fetch: Fetch) -> None:
    told: list[tuple[str, int, int | None]] = []
    url = https.at("/x", body(b" " * 200_000))
    replace(fetch, progress=lambda *facts: told.append(facts)).get(url)
    assert told[-1] == (url, 200_000, 200_000)
    assert len(told) > 1


USAGE = {
    "neither": (),
    "both": ("--from", "a.json", "--server", "http://localhost"),
    "a key without a certificate": ("--server", "http://localhost", "--client-key", "x"),
    "a time-out of nothing": ("--from", "a.json", "--timeout", "0"),
}


@pytest.mark.parametrize("words", USAGE.values(), ids=USAGE)
def test_options_that_do_not_go_together(words: tuple[str, ...], add: Callable[..., int], tmp_path: Path) -> None:
    before = contents(tmp_path)
    assert add(*words) == 2
    assert contents(tmp_path) == before


def test_a_document_of_another_release(https: Served, add: Callable[..., int], tmp_path: Path) -> None:
    document = json.dumps({**release(), "info": {"version": "v1.37.2"}}).encode()
    assert add("--from", https.at("/x", body(document))) == 2
    assert files(tmp_path) == ["1.37.json", "SOURCES"]


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.json"
    spec.write_bytes(DOCUMENT)
    (tmp_path / "taken" / "1.38.json").mkdir(parents=True)
    for folder in (tmp_path / "taken", spec):
        assert kubemerge("spec", "add", "1.38", "--from", spec, "--openapi", folder) == 2
        assert "bug" not in capsys.readouterr().err


# ---- credentials ----------------------------------------------------------------------------------------------------


@pytest.fixture
def netrc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ~/.netrc with a login for every server of a test."""
    file = tmp_path / "netrc"
    file.write_text("machine localhost login me password from-netrc\n")
    monkeypatch.setenv("NETRC", str(file))


def logins(served: Served) -> list[tuple[str, str | None]]:
    return [(path, headers["Authorization"]) for path, headers in served.requests]


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


NETRC = basic("me", "from-netrc")


@pytest.mark.usefixtures("netrc")
def test_a_login_of_netrc_is_for_the_first_request_only(http: Served, fetch: Fetch) -> None:
    with serving() as other:
        other.at("/z", body(DOCUMENT))
        http.at("/y", redirect(f"{other.address}/z"))
        fetch.get(http.at("/x", redirect("/y")))
        assert logins(http) == [("/x", NETRC), ("/y", None)]
        assert logins(other) == [("/z", None)]


@pytest.mark.usefixtures("netrc")
@pytest.mark.parametrize("server", [True, False])
def test_token_takes_precedence_over_netrc(server: bool, http: Served, fetch: Fetch, authority: Authority) -> None:
    mine = replace(fetch, token_file=str(authority.folder / "token"), server=http.address if server else None)
    with serving() as other:
        other.at("/z", redirect(f"{http.address}/back"))
        http.at("/y", redirect(f"{other.address}/z"))
        http.at("/back", body(DOCUMENT))
        mine.get(http.at("/x", redirect("/y")))
        assert logins(http) == [("/x", "Bearer s3cret"), ("/y", "Bearer s3cret"), ("/back", None)]
        assert logins(other) == [("/z", None)]


@pytest.mark.usefixtures("netrc")
def test_precedence_of_token_login_and_netrc(http: Served, fetch: Fetch, authority: Authority) -> None:
    url = http.at("/x", body(DOCUMENT)).replace("http://", "http://you:s3%40cret@")
    fetch.get(url)
    replace(fetch, token_file=str(authority.folder / "token")).get(url)
    assert logins(http) == [("/x", basic("you", "s3@cret")), ("/x", "Bearer s3cret")]


@pytest.mark.usefixtures("netrc")
def test_a_token_is_never_sent_over_plain_http_after_a_redirect(
    https: Served, http: Served, fetch: Fetch, authority: Authority
) -> None:
    mine = replace(fetch, token_file=str(authority.folder / "token"))
    with pytest.raises(SpecError, match="expected an answer over https"):
        mine.get(https.at("/x", redirect(http.at("/y", body(DOCUMENT)))))
    assert http.requests == []


FAILING = {
    "a missing page": body(b"", 404),
    "a failing server": body(b"", 500),
    "a web page": body(b"<html>"),
    "a redirect in a circle": None,
    "a redirect to elsewhere": redirect("http://you:s3cret@localhost:1/x?token=s3cret"),
    "another release": body(json.dumps({**release(), "info": {"version": "v1.37.2"}}).encode()),
}


@pytest.mark.parametrize("answer", FAILING.values(), ids=FAILING)
def test_errors_hide_credentials_in_addresses(
    answer: Any, http: Served, add: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = "/x?access_token=s3cret&sig=s3cret"
    url = http.at(path, answer or redirect(path)).replace("http://", "http://you:s3cret@")
    assert add("--from", url) == 2
    said = capsys.readouterr()
    assert "s3cret" not in said.out + said.err
    assert "***@localhost" in said.err


def test_credentials_in_addresses_are_not_stored(
    http: Served, add: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = http.at("/x?access_token=s3cret", body(DOCUMENT)).replace("http://", "http://you:s3cret@")
    assert add("--from", url, "-v") == 0
    assert "s3cret" not in "".join(file.read_text() for file in (tmp_path / "openapi").iterdir())
    assert kubemerge("spec", "list", "--openapi", tmp_path / "openapi") == 0
    assert kubemerge("spec", "check", "--openapi", tmp_path / "openapi") == 0
    assert kubemerge("spec", "check", "--fetch", "1.38", "--openapi", tmp_path / "openapi") == 1
    said = capsys.readouterr()
    assert "expected an address without a password or a token" in said.out
    assert "s3cret" not in said.out + said.err


def test_a_proxy_with_a_password_that_fails(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for proxy in ("http://you:s3cret@localhost:1", "http://you:s3cret@localhost:99999", "you:s3cret@[::1"):
        monkeypatch.setenv("http_proxy", proxy)
        with pytest.raises(SpecError) as caught:
            replace(fetch, tries=1).get("http://example.test/x")
        assert "s3cret" not in str(caught.value)
