"""The results folder: a file for each part, written once and atomically, from which an interrupted run resumes."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections import Counter
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

_ABOUT, _SEEN, _COUNTS = b"kubemerge", b"kubemerge.seen", b"kubemerge.counts"
"""Keys of a file's metadata: the facts in `Written`, the config objects found in the part, and its row counts."""
COLUMNS = ("cluster", "kind", "what", "severity")
"""The columns by which rows are counted."""
Key = tuple[str, str, str, str]
"""A cluster, a kind, a finding and its severity."""
_BEGIN, _END = "part-", ".parquet"
_PART = re.compile(rf"{_BEGIN}([0-9a-f]{{32}}){re.escape(_END)}")
"""Pattern for a part's file name. Other programs also write files named part-..., which must not be removed."""
_NUMBER = re.compile(r"\[errno (\d+)\]")


class BadFolder(MergeError):
    """A folder that cannot store the results."""


class Written(NamedTuple):
    """The contents of a part."""

    objects: int
    rows: int
    clusters: list[str]
    """The clusters for which `Results.seen` returns the objects of their config."""
    killed: int = 0
    """Number of objects given up because a process crashed on them or did not end."""
    request: str = ""
    """The key of the request for the part, as `workers.request` returns it."""
    kinds: Mapping[str, Mapping[str, int]] = {}
    """Number of objects of each kind, for each cluster; unreadable data has an empty kind."""


class Tally:
    """Counts of a part's contents, updated while the part is checked."""

    def __init__(self) -> None:
        self.killed = 0
        self.kinds: dict[str, dict[str, int]] = {}
        self.seen: dict[str, set[str]] = {}
        self.request = ""

    @property
    def objects(self) -> int:
        """Number of objects."""
        return sum(sum(counts.values()) for counts in self.kinds.values())

    def add(self, kinds: Mapping[str, Mapping[str, int]], seen: Mapping[str, Iterable[str]] | None = None) -> None:
        """Count more objects: for each cluster the number of each kind, and the objects of its config."""
        for cluster, counts in kinds.items():
            held = self.kinds.setdefault(cluster, {})
            for kind, count in counts.items():
                held[kind] = held.get(kind, 0) + count
        for cluster, found in (seen or {}).items():
            self.seen.setdefault(cluster, set()).update(found)

    def written(self, rows: int) -> Written:
        """The record of the part for its metadata."""
        kinds = {
            plain(cluster): {plain(kind): count for kind, count in one.items()} for cluster, one in self.kinds.items()
        }
        return Written(self.objects, rows, sorted(self.seen), self.killed, self.request, kinds)


class Results:
    """The folder of one run's results; it may be on object storage."""

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
        """Create the folder."""
        try:
            self._system.makedirs(self._inside, exist_ok=True)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise BadFolder(f"{without_credentials(self.folder)}: {why}. Use a writable folder") from None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock a local folder, because two runs would remove each other's temporary files."""
        if not self._is_local:
            yield
            return
        busy = BadFolder(f"{self.folder}: another run writes to it. Wait until it finishes, or use another --out")
        with lock_folder(Path(self._inside), busy=busy):
            yield

    def keys(self) -> set[str]:
        """The keys of the existing parts."""
        if not self._system.isdir(self._inside):
            return set()
        self._system.invalidate_cache()
        names = [one.rpartition("/")[2] for one in self._system.ls(self._inside, detail=False)]
        return {found[1] for one in names if (found := _PART.fullmatch(one))}

    def whole(self) -> dict[str, Written]:
        """The existing parts that can be read; an incompletely copied one cannot."""
        self._whole = {}
        for key in self.keys():
            written = self.done(key)
            if written is not None:
                self._whole[key] = written
        return self._whole

    def done(self, key: str) -> Written | None:
        """The contents of a part; None if it does not exist or cannot be read."""
        with suppress(OSError, KeyError, ValueError, TypeError, library("pyarrow").ArrowException):
            return self.about(key)
        return None

    def remove(self, keys: Iterable[str]) -> None:
        """Remove parts."""
        for key in keys:
            self._system.rm_file(self._name(key))

    def sweep(self) -> None:
        """Remove temporary files that workers left behind."""
        if self._is_local:
            for one in Path(self._inside).glob(f".{_BEGIN}*"):
                with suppress(OSError):
                    one.unlink()

    def write(self, key: str, batches: Iterable[Any], tally: Tally) -> Written:
        """Write a part atomically: its name appears once it is complete, even if other workers write the same part."""
        with self._write_errors():
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
        """Write a part to storage without rename, from an unnamed file: if the process is killed, nothing is left."""
        with tempfile.TemporaryFile() as file:
            written = _write(file, batches, tally)
            file.seek(0)
            with self._system.open(self._name(key), "wb") as there:
                shutil.copyfileobj(file, there, 1 << 20)
        return written

    @contextmanager
    def _write_errors(self) -> Iterator[None]:
        """Turn write errors into a message with a fix."""
        try:
            yield
        except OSError as error:
            inside = _NUMBER.search(str(error))  # Arrow has the number only in its message
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
        """The contents of a part; read once, because the storage may be remote."""
        if key in self._whole:
            return self._whole[key]
        metadata = self._metadata(key)
        if _COUNTS not in metadata:  # written by an older version
            raise KeyError(key)
        return Written(**json.loads(metadata[_ABOUT]))

    def counts(self, key: str) -> Counter[Key]:
        """The number of a part's rows by `COLUMNS`, as its worker counted them."""
        return Counter({tuple(words): count for *words, count in json.loads(self._metadata(key)[_COUNTS])})

    def seen(self, key: str) -> dict[str, list[str]]:
        """The objects of each cluster's config that are in a part."""
        found: dict[str, list[str]] = json.loads(self._metadata(key)[_SEEN])
        return found

    def _metadata(self, key: str) -> dict[bytes, bytes]:
        with self._system.open(self._name(key), "rb") as raw:
            found: dict[bytes, bytes] = library("pyarrow.parquet").ParquetFile(raw).metadata.metadata
            return found


def _write(file: Any, batches: Iterable[Any], tally: Tally) -> Written:
    rows, counts = 0, Counter[Key]()
    with library("pyarrow.parquet").ParquetWriter(file, schema(), compression="zstd") as writer:
        for table in _tables(batches):
            rows += table.num_rows
            counts.update(_counted(table))
            writer.write_table(table)
        written = tally.written(rows)
        seen = {cluster: sorted(found) for cluster, found in tally.seen.items()}
        counted = [[*key, count] for key, count in sorted(counts.items())]
        facts = {_ABOUT: written._asdict(), _SEEN: seen, _COUNTS: counted}
        writer.add_key_value_metadata({name: json.dumps(fact) for name, fact in facts.items()})
    return written


def _counted(table: Any) -> dict[Key, int]:
    """The number of rows by `COLUMNS`."""
    found = table.select([*COLUMNS]).group_by([*COLUMNS]).aggregate([([], "count_all")])
    *keys, counts = (found.column(name).to_pylist() for name in (*COLUMNS, "count_all"))
    return dict(zip(zip(*keys, strict=True), counts, strict=True))


def _tables(batches: Iterable[Any]) -> Iterator[Any]:
    """Combine the rows into larger tables."""
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
