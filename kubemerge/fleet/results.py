"""The folder of results: a file for each part, written once and whole, which is also what a restart goes by."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.credentials import without_credentials
from codegen.files import lock_folder
from engine import MergeError

from .extra import library
from .rows import LARGEST, MOST, plain, schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_ABOUT, _SEEN = b"kubemerge", b"kubemerge.seen"
"""The entries of a file's metadata that say what the part held, and which objects of the config it had."""
_BEGIN, _END = "part-", ".parquet"
_PART = re.compile(rf"{_BEGIN}([0-9a-f]{{32}}){re.escape(_END)}")
"""The name of a part. Others write files named part-... as well, which are not ours to remove."""
_NUMBER = re.compile(r"\[errno (\d+)\]")


class BadFolder(MergeError):
    """A folder that cannot store the results."""


class Written(NamedTuple):
    """What a part held."""

    objects: int
    rows: int
    clusters: list[str]
    """The clusters of which `Results.seen` knows which objects of their config are there."""
    killed: int = 0
    """How many objects were given up, as a process died of them or did not end."""
    request: str = ""
    """What was asked for, as `running.request` has it."""
    kinds: Mapping[str, Mapping[str, int]] = {}
    """For each cluster how many objects of each kind there are; the kind of what cannot be read is empty."""


class Tally:
    """What a part holds, counted while it is looked at."""

    def __init__(self) -> None:
        self.killed = 0
        self.kinds: dict[str, dict[str, int]] = {}
        self.seen: dict[str, set[str]] = {}
        self.request = ""

    @property
    def objects(self) -> int:
        """How many objects there are."""
        return sum(sum(counts.values()) for counts in self.kinds.values())

    def add(self, kinds: Mapping[str, Mapping[str, int]], seen: Mapping[str, Iterable[str]] | None = None) -> None:
        """Count more objects: for each cluster how many of each kind, and which of its config are there."""
        for cluster, counts in kinds.items():
            held = self.kinds.setdefault(cluster, {})
            for kind, count in counts.items():
                held[kind] = held.get(kind, 0) + count
        for cluster, found in (seen or {}).items():
            self.seen.setdefault(cluster, set()).update(found)

    def written(self, rows: int) -> Written:
        """What is told of the part."""
        kinds = {
            plain(cluster): {plain(kind): count for kind, count in one.items()} for cluster, one in self.kinds.items()
        }
        return Written(self.objects, rows, sorted(self.seen), self.killed, self.request, kinds)


class Results:
    """The folder of the results of one run; it may be on object storage."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._whole: dict[str, Written] = {}
        try:
            self._system, self._inside = library("fsspec.core").url_to_fs(folder)
        except (ValueError, ImportError) as error:
            raise BadFolder(f"{without_credentials(folder)}: {error}") from None

    def _name(self, key: str) -> str:
        return f"{self._inside.rstrip('/')}/{_BEGIN}{key}{_END}"

    @property
    def _is_local(self) -> bool:
        protocol = self._system.protocol
        return "file" in ((protocol,) if isinstance(protocol, str) else protocol)

    def prepare(self) -> None:
        """Make the folder."""
        try:
            self._system.makedirs(self._inside, exist_ok=True)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise BadFolder(f"{without_credentials(self.folder)}: {why}. Use a writable folder") from None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have a folder of this machine to ourselves; two runs would sweep each other's files away."""
        if not self._is_local:
            yield
            return
        busy = BadFolder(f"{self.folder}: another run writes to it. Wait until it finishes, or use another --out")
        with lock_folder(Path(self._inside), busy=busy):
            yield

    def keys(self) -> set[str]:
        """The parts that are there."""
        if not self._system.isdir(self._inside):
            return set()
        self._system.invalidate_cache()
        names = [one.rpartition("/")[2] for one in self._system.ls(self._inside, detail=False)]
        return {found[1] for one in names if (found := _PART.fullmatch(one))}

    def whole(self) -> dict[str, Written]:
        """The parts that are there and can be read, as one that was copied by half cannot."""
        self._whole = {}
        for key in self.keys():
            written = self.done(key)
            if written is not None:
                self._whole[key] = written
        return self._whole

    def done(self, key: str) -> Written | None:
        """What a part held; None if it is not there or cannot be read."""
        with suppress(OSError, KeyError, ValueError, TypeError, library("pyarrow").ArrowException):
            return self.about(key)
        return None

    def remove(self, keys: Iterable[str]) -> None:
        """Remove parts."""
        for key in keys:
            self._system.rm_file(self._name(key))

    def sweep(self) -> None:
        """Remove what workers left half written."""
        if self._is_local:
            for one in Path(self._inside).glob(f".{_BEGIN}*"):
                with suppress(OSError):
                    one.unlink()

    def write(self, key: str, batches: Iterable[Any], tally: Tally) -> Written:
        """Write a part. It is there under its name once all of it is written, whoever else writes the same."""
        with self._told():
            return (self._write_here if self._is_local else self._send)(key, batches, tally)

    def _write_here(self, key: str, batches: Iterable[Any], tally: Tally) -> Written:
        file, name = tempfile.mkstemp(".tmp", f".{_BEGIN}{key}-", self._inside)
        os.close(file)
        try:
            written = _write(name, batches, tally)
            Path(name).chmod(0o666 & ~_umask())
            Path(name).replace(self._name(key))
        finally:
            Path(name).unlink(missing_ok=True)
        return written

    def _send(self, key: str, batches: Iterable[Any], tally: Tally) -> Written:
        """Write a part to where it cannot be renamed, from a file without a name: nothing is left if we are killed."""
        with tempfile.TemporaryFile() as file:
            written = _write(file, batches, tally)
            file.seek(0)
            with self._system.open(self._name(key), "wb") as there:
                shutil.copyfileobj(file, there, 1 << 20)
        return written

    @contextmanager
    def _told(self) -> Iterator[None]:
        """A context in which what cannot be written is told, with the way out."""
        try:
            yield
        except OSError as error:
            inside = _NUMBER.search(str(error))  # Arrow has it in its words only
            why = error.strerror or (os.strerror(int(inside[1])) if inside else str(error) or type(error).__name__)
            raise BadFolder(
                f"{without_credentials(self.folder)}: {why}. The results cannot be written. Existing "
                "parts are kept. Fix the problem and start the run again, or use another --out"
            ) from None

    def read(self, key: str, columns: list[str] | None = None) -> Any:
        """The rows of a part, as a table."""
        with self._system.open(self._name(key), "rb") as raw:
            return library("pyarrow.parquet").read_table(raw, columns=columns)

    def about(self, key: str) -> Written:
        """What a part held; it is read once, as it may be far away."""
        return self._whole.get(key) or Written(**json.loads(self._metadata(key)[_ABOUT]))

    def seen(self, key: str) -> dict[str, list[str]]:
        """For each cluster the objects of its config that are in a part."""
        found: dict[str, list[str]] = json.loads(self._metadata(key)[_SEEN])
        return found

    def _metadata(self, key: str) -> dict[bytes, bytes]:
        with self._system.open(self._name(key), "rb") as raw:
            found: dict[bytes, bytes] = library("pyarrow.parquet").ParquetFile(raw).metadata.metadata
            return found


def _write(file: Any, batches: Iterable[Any], tally: Tally) -> Written:
    rows = 0
    with library("pyarrow.parquet").ParquetWriter(file, schema(), compression="zstd") as writer:
        for table in _tables(batches):
            rows += table.num_rows
            writer.write_table(table)
        written = tally.written(rows)
        seen = {cluster: sorted(found) for cluster, found in tally.seen.items()}
        writer.add_key_value_metadata({_ABOUT: json.dumps(written._asdict()), _SEEN: json.dumps(seen)})
    return written


def _tables(batches: Iterable[Any]) -> Iterator[Any]:
    """The same rows, in tables that are not small."""
    held: list[Any] = []
    for batch in batches:
        held.append(batch)
        if sum(one.num_rows for one in held) >= MOST or sum(one.nbytes for one in held) >= LARGEST:
            yield library("pyarrow").Table.from_batches(held)
            held = []
    if held:
        yield library("pyarrow").Table.from_batches(held)


def _umask() -> int:
    found = os.umask(0o077)
    os.umask(found)
    return found
