"""The folder of results: a file for each part, written once and whole, which is also what a restart goes by."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.credentials import without_credentials
from engine import MergeError

from .extra import library
from .rows import schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .works.base import Work

_ABOUT = b"kubemerge"
"""The entry of a file's metadata that says what the part held."""
_BEGIN, _END = "part-", ".parquet"


class BadFolder(MergeError):
    """A folder that cannot hold the results."""


class Written(NamedTuple):
    """What a part held."""

    objects: int
    rows: int
    seen: dict[str, list[str]]
    """For each cluster the objects of the config that are there, where it matters."""


class Results:
    """The folder of the results of one run; it may be on object storage."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
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
            raise BadFolder(f"{without_credentials(self.folder)}: {why}; give a folder that can be written") from None

    def keys(self) -> set[str]:
        """The parts that are there."""
        if not self._system.isdir(self._inside):
            return set()
        self._system.invalidate_cache()
        names = [one.rpartition("/")[2] for one in self._system.ls(self._inside, detail=False)]
        return {one[len(_BEGIN) : -len(_END)] for one in names if one.startswith(_BEGIN) and one.endswith(_END)}

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

    def write(self, key: str, batches: Iterable[Any], work: Work) -> Written:
        """Write a part. It is there under its name once all of it is written, whoever else writes the same."""
        file, name = tempfile.mkstemp(".tmp", f".{_BEGIN}{key}-", self._inside if self._is_local else None)
        os.close(file)
        try:
            written = _write(name, batches, work)
            if self._is_local:
                Path(name).chmod(0o666 & ~_umask())
                Path(name).replace(self._name(key))
            else:
                self._system.put_file(name, self._name(key))
        finally:
            Path(name).unlink(missing_ok=True)
        return written

    def read(self, key: str, columns: list[str] | None = None) -> Any:
        """The rows of a part, as a table."""
        with self._system.open(self._name(key), "rb") as raw:
            return library("pyarrow.parquet").read_table(raw, columns=columns)

    def about(self, key: str) -> Written:
        """What a part held."""
        with self._system.open(self._name(key), "rb") as raw:
            found = library("pyarrow.parquet").ParquetFile(raw).metadata
            return Written(**json.loads(found.metadata[_ABOUT]))


def _write(name: str, batches: Iterable[Any], work: Work) -> Written:
    rows = 0
    with library("pyarrow.parquet").ParquetWriter(name, schema(), compression="zstd") as writer:
        for batch in batches:
            rows += batch.num_rows
            writer.write_batch(batch)
        written = Written(work.objects, rows, {cluster: sorted(found) for cluster, found in work.seen.items()})
        writer.add_key_value_metadata({_ABOUT: json.dumps(written._asdict())})
    return written


def _umask() -> int:
    found = os.umask(0o077)
    os.umask(found)
    return found
