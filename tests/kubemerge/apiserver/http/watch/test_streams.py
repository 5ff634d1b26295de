"""Watches: their events and their end."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.errors import StoreError
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.apiserver.http.watch import feed as feeds
from kubemerge.apiserver.http.watch import streams
from kubemerge.apiserver.storage import history
from kubemerge.cluster import Reference, open_cluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster

MAPS = "/api/v1/namespaces/default/configmaps"


def config_map(name: str, **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default"}, "data": data}


def reference(name: str) -> Reference:
    return Reference("v1", "ConfigMap", name, "default")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[EmbeddedCluster]:
    with open_cluster(str(tmp_path / "c.db")) as opened:
        yield opened


async def watched(application: Application, **query: str) -> AsyncIterator[dict[str, Any]]:
    """The events of a watch."""
    asked = {"watch": "true", **query}
    body = application.answer(Request("GET", MAPS, {name: [value] for name, value in asked.items()})).body
    assert not isinstance(body, bytes)
    async for piece in body:
        for line in piece.splitlines():
            yield json.loads(line)


async def first(events: AsyncIterator[dict[str, Any]], count: int) -> list[tuple[str, str]]:
    found = []
    async for event in events:
        found.append((event["type"], event["object"]["metadata"].get("name", "")))
        if len(found) == count:
            break
    return found


def test_what_another_process_writes_is_told(cluster: EmbeddedCluster) -> None:
    """Two openings of a file share no memory, like two processes."""

    async def run() -> list[tuple[str, str]]:
        with open_cluster(cluster.file) as other:
            events = watched(Application(cluster), resourceVersion=str(cluster.version()))
            telling = asyncio.ensure_future(first(events, 3))
            await asyncio.sleep(0.05)
            other.create(config_map("a"))
            other.patch(reference("a"), {"data": {"x": "1"}}, "merge")
            other.delete(reference("a"))
            return await asyncio.wait_for(telling, 5)

    assert asyncio.run(run()) == [("ADDED", "a"), ("MODIFIED", "a"), ("DELETED", "a")]


def test_a_change_by_another_process_is_sent_with_the_next_poll(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert feeds.POLL_INTERVAL <= 0.02
    monkeypatch.setattr(feeds, "POLL_INTERVAL", 3600)
    application = Application(cluster)

    async def run() -> list[tuple[str, str]]:
        with open_cluster(cluster.file) as other:
            sent = asyncio.ensure_future(first(watched(application, resourceVersion=str(cluster.version())), 1))
            while not application.feed.has_watches:
                await asyncio.sleep(0)
            await asyncio.sleep(0)  # the first poll, after which the next one comes in an hour
            other.create(config_map("a"))
            application.feed.poll()
            return await asyncio.wait_for(sent, 20)  # a watch reads again after a minute

    assert asyncio.run(run()) == [("ADDED", "a")]


def test_a_watch_that_comes_too_late_is_told_so(cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "KEPT", 4)
    monkeypatch.setattr(history, "DROPPED_AT_ONCE", 2)
    begins = cluster.version()
    for number in range(20):
        cluster.create(config_map(f"c{number}"))

    async def run() -> list[dict[str, Any]]:
        return [event async for event in watched(Application(cluster), resourceVersion=str(begins))]

    (event,) = asyncio.run(run())
    assert event["type"] == "ERROR"
    assert (event["object"]["code"], event["object"]["reason"]) == (410, "Expired")
    oldest = next(version for version in range(begins, begins + 20) if cluster.changes_since(version)[1] is not None)
    assert event["object"]["message"] == f"too old resource version: {begins} ({oldest})"


def test_what_is_not_in_memory_any_more_is_read_again(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "CACHE_SIZE", 1)
    application = Application(cluster)
    begins = cluster.version()
    for number in range(5):
        cluster.create(config_map(f"c{number}"))
    application.feed.poll()

    async def run() -> list[tuple[str, str]]:
        return await first(watched(application, resourceVersion=str(begins)), 5)

    assert asyncio.run(run()) == [("ADDED", f"c{number}") for number in range(5)]


def test_a_dump_that_is_loaded_makes_watches_begin_again(cluster: EmbeddedCluster) -> None:
    application = Application(cluster)
    begins = cluster.version()
    cluster.load([config_map("loaded")])

    async def run() -> list[dict[str, Any]]:
        return [event async for event in watched(application, resourceVersion=str(begins))]

    assert [event["type"] for event in asyncio.run(run())] == ["ERROR"]


def test_bookmarks_come_from_time_to_time(cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubemerge.apiserver.http.watch.streams.BOOKMARK_INTERVAL", 0.05)
    monkeypatch.setattr("kubemerge.apiserver.http.watch.streams.LAST_BOOKMARK", 0.05)

    async def run() -> list[dict[str, Any]]:
        application = Application(cluster)
        asked = {"resourceVersion": str(cluster.version()), "allowWatchBookmarks": "true", "timeoutSeconds": "1"}
        return [event async for event in watched(application, **asked)]

    events = asyncio.run(run())
    assert {event["type"] for event in events} == {"BOOKMARK"}
    assert {event["object"]["metadata"]["resourceVersion"] for event in events} == {str(cluster.version())}


def test_the_last_bookmark_comes_shortly_before_the_end(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client without events resumes from there, and not from its start."""
    monkeypatch.setattr("kubemerge.apiserver.http.watch.streams.LAST_BOOKMARK", 0.5)

    async def run() -> tuple[int, list[dict[str, Any]]]:
        application = Application(cluster)
        begins = cluster.version()
        cluster.create({**config_map("a"), "kind": "Secret"})
        asked = {"resourceVersion": str(begins), "allowWatchBookmarks": "true", "timeoutSeconds": "1"}
        return begins, [event async for event in watched(application, **asked)]

    begins, (event,) = asyncio.run(run())
    assert event["type"] == "BOOKMARK"
    assert int(event["object"]["metadata"]["resourceVersion"]) == cluster.version() > begins


@pytest.mark.usefixtures("short_watches")
@pytest.mark.parametrize(("release", "marked"), [("1.31", 0), ("1.32", 1), ("1.33", 0), ("1.37", 1)])
def test_the_end_of_the_first_state_is_marked(release: str, marked: int) -> None:
    async def run() -> list[dict[str, Any]]:
        with open_cluster(":memory:", release=release) as cluster:
            cluster.create(config_map("a"))
            asked = {"allowWatchBookmarks": "true", "timeoutSeconds": "1"}
            return [event async for event in watched(Application(cluster), **asked)]

    added, *others = asyncio.run(run())
    assert added["type"] == "ADDED"
    assert [one["object"]["metadata"]["annotations"] for one in others] == [
        {"k8s.io/initial-events-end": "true"}
    ] * marked


def test_five_hundred_watches_share_what_they_are_told(cluster: EmbeddedCluster) -> None:
    async def run() -> tuple[set[tuple[str, str]], int]:
        application = Application(cluster)
        begins = str(cluster.version())
        all_of_them = [watched(application, resourceVersion=begins) for _ in range(500)]
        telling = [asyncio.ensure_future(first(events, 1)) for events in all_of_them]
        await asyncio.sleep(0.1)
        cluster.create(config_map("a", x="y" * 1000))
        application.feed.poll()
        told = await asyncio.wait_for(asyncio.gather(*telling), 10)
        (event,) = application.feed.after(int(begins), ("", "ConfigMap")) or []
        return {one for several in told for one in several}, len(event.sent)

    told, encoded = asyncio.run(run())
    assert told == {("ADDED", "a")}
    assert encoded == 1


def test_changes_are_forgotten_together(cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "KEPT", 4)
    monkeypatch.setattr(history, "DROPPED_AT_ONCE", 2)
    monkeypatch.setattr(feeds, "CACHE_SIZE", 1)
    feed = Application(cluster).feed
    cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}})
    feed.poll()
    for number in range(20):  # so many at once that the history only has the last ones
        cluster.create(config_map(f"c{number}"))
    feed.poll()
    for name in ("x", "y"):
        cluster.create(config_map(name))
        feed.poll()
    assert feed.version == cluster.version()


def test_a_watch_of_a_kind_without_changes_does_not_expire(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "KEPT", 4)
    monkeypatch.setattr(history, "DROPPED_AT_ONCE", 2)
    monkeypatch.setattr(feeds, "CACHE_SIZE", 1)
    feed = Application(cluster).feed
    begins, kinds = feed.version, (("", "ConfigMap"), ("", "Secret"))
    for number in range(20):
        cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"s{number}"}})
        feed.poll()
    assert [feed.after(begins, kind) for kind in kinds] == [[], None]
    cluster.create(config_map("a"))
    feed.poll()
    assert [event.key.name for event in feed.after(begins, kinds[0]) or ()] == ["a"]


def test_a_watch_without_bookmarks_sleeps(cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BOOKMARK_INTERVAL", 0.02)
    waited: list[float] = []

    async def run() -> None:
        application = Application(cluster)
        changed = application.feed.changed

        async def noted(kind: tuple[str, str], seconds: float) -> None:
            waited.append(seconds)
            await changed(kind, seconds)

        application.feed.changed = noted  # type: ignore[method-assign]
        reading = asyncio.ensure_future(first(watched(application, resourceVersion=str(cluster.version())), 1))
        await _until(lambda: len(waited) >= 4)
        reading.cancel()

    asyncio.run(run())
    assert min(waited) > 0


def test_a_poll_of_an_unreadable_file_ends_the_watches(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise StoreError("c.db", "c.db cannot be read")

    async def run() -> tuple[list[Any], int]:
        feed, reported = Application(cluster).feed, []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
        monkeypatch.setattr(cluster, "changes_since", fail)
        feed.poll_soon()
        await asyncio.sleep(0.01)
        return reported, feed.end_count

    assert asyncio.run(run()) == ([], 1)


def test_a_wait_that_is_over_does_not_last(cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def wait(_: Any, timeout: float) -> None:
        waited.append(timeout)

    async def run() -> None:
        feed = feeds.Feed(cluster)
        monkeypatch.setattr(asyncio, "wait", wait)
        await feed.changed(("", "ConfigMap"), -5)
        await feed.changed(("", "ConfigMap"), 5)

    asyncio.run(run())
    assert waited == [0, 5]


class _Watch:
    """A watch whose connection takes pieces at once, until it is slow."""

    def __init__(self, application: Application, **asked: str) -> None:
        self.pieces: list[bytes] = []
        self.is_slow = False
        streams.WRITE.set(self._write)
        request = Request("GET", MAPS, {name: [value] for name, value in {"watch": "1", **asked}.items()})
        body = application.answer(request).body
        assert not isinstance(body, bytes)
        self._body = body
        self.reading = asyncio.ensure_future(self._read())

    def _write(self, piece: bytes) -> bool:
        if not self.is_slow:
            self.pieces.append(b"now " + piece)
        return not self.is_slow

    async def _read(self) -> None:
        async for piece in self._body:
            if piece:
                self.pieces.append(b"later " + piece)

    def events(self) -> list[tuple[str, str, str]]:
        found = []
        for piece in self.pieces:
            way, _, lines = piece.partition(b" ")
            for line in lines.splitlines():
                event = json.loads(line)
                found.append((way.decode(), event["type"], event["object"]["metadata"]["name"]))
        return found


async def _until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def _subscribers(application: Application) -> int:
    return sum(map(len, application.feed._subscribers.values()))


def test_events_are_pushed_to_watches_with_a_connection(cluster: EmbeddedCluster) -> None:
    async def run() -> list[list[tuple[str, str, str]]]:
        application = Application(cluster)
        begins = {"resourceVersion": str(cluster.version())}
        labelled = [_Watch(application, labelSelector="app=a", **begins) for _ in range(2)]
        every, slow = _Watch(application, **begins), _Watch(application, **begins)
        watches = [*labelled, every, slow]
        await _until(lambda: _subscribers(application) == len(watches))
        slow.is_slow = True
        for number, (name, label) in enumerate((("a", "a"), ("b", "b"), ("c", "a")), 1):
            made = config_map(name)
            cluster.create({**made, "metadata": {**made["metadata"], "labels": {"app": label}}})
            application.feed.poll()
            await _until(lambda number=number: len(slow.events()) == number)  # type: ignore[misc]
            await _until(lambda: _subscribers(application) == len(watches))
        slow.is_slow = False
        cluster.delete(reference("a"))
        application.feed.poll()
        for watch in watches:
            watch.reading.cancel()
        return [watch.events() for watch in watches]

    one, other, every, slow = asyncio.run(run())
    assert one == other == [("now", "ADDED", "a"), ("now", "ADDED", "c"), ("now", "DELETED", "a")]
    assert every == [("now", "ADDED", "a"), ("now", "ADDED", "b"), ("now", "ADDED", "c"), ("now", "DELETED", "a")]
    assert slow == [("later", "ADDED", "a"), ("later", "ADDED", "b"), ("later", "ADDED", "c"), ("now", "DELETED", "a")]


def test_selectors_are_evaluated_once_for_all_watches_that_have_them(cluster: EmbeddedCluster) -> None:
    async def run() -> list[Any]:
        application = Application(cluster)
        counted: list[Any] = []
        begins = {"resourceVersion": str(cluster.version()), "labelSelector": "app=a"}
        watches = [_Watch(application, **begins) for _ in range(50)]
        await _until(lambda: _subscribers(application) == len(watches))
        for kind in application.feed._subscribers.values():
            for subscriber in kind:
                subscriber._is_selected = counted.append  # type: ignore[attr-defined]
        cluster.create(config_map("a"))
        application.feed.poll()
        for watch in watches:
            watch.reading.cancel()
        return counted

    before, after = asyncio.run(run())
    assert before is None
    assert after["metadata"]["name"] == "a"


def test_many_watches_leave_time_to_requests(cluster: EmbeddedCluster) -> None:
    async def run() -> tuple[int, int, int]:
        application = Application(cluster)
        watch = _Watch(application, resourceVersion=str(cluster.version()))
        await _until(lambda: _subscribers(application))
        application.feed._next_push_at = asyncio.get_running_loop().time() + 1000
        for name in ("a", "b", "c"):
            cluster.create(config_map(name))
            application.feed.poll_soon()
            await asyncio.sleep(0.02)
        before = len(watch.pieces)
        application.feed._next_push_at = 0
        await _until(lambda: watch.pieces)
        watch.reading.cancel()
        return before, len(watch.pieces), len(watch.events())

    assert asyncio.run(run()) == (0, 1, 3)
