"""The files of a fleet: which are meant by paths, what is in them, and of which cluster it is."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.credentials import without_credentials
from engine import MergeError

from ..extra import library

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FORMS = {
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".parquet": "parquet",
}
PACKINGS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
_MAGIC = frozenset("*?[")
_KNOWN_BY = ("size", "mtime", "LastModified", "last_modified", "updated", "ETag", "etag", "md5Hash", "created")
"""What file systems say of a file that changes with its content."""


class BadSource(MergeError):
    """A path of a dump that cannot be used."""


class Source(NamedTuple):
    """A file of a fleet."""

    url: str
    """Where to open it."""
    name: str
    """What it is called in what people read."""
    cluster: str
    """The cluster of its objects, unless a column says another one."""
    form: str
    packing: str
    size: int
    version: str
    """A hash of what the file system says of its content."""


def sources(paths: Sequence[str], by: str = "auto") -> list[Source]:
    """The files that are meant, in a stable order; `by` says what names the cluster: the "folder" or the "file".

    By default the first folder below the path does, and where there is none, the name of the file.
    """
    found = [one for path in paths for one in _of(path, by)]
    if not found:
        endings = ", ".join(FORMS)
        raise BadSource(
            f"{', '.join(paths)}: there are no dumps; they end in {endings}, and may end in .gz or .zst then"
        )
    return found


def _of(path: str, by: str) -> Iterator[Source]:
    system, inside = _system(path)
    try:
        if _MAGIC & {*inside}:
            root = inside[: min(inside.index(one) for one in _MAGIC & {*inside})].rpartition("/")[0]
            names = [one for one in sorted(system.glob(inside)) if system.isfile(one)]
        elif system.isdir(inside):
            root, names = inside.rstrip("/"), sorted(system.find(inside))
        elif system.exists(inside):
            root, names = inside.rpartition("/")[0], [inside]
            if not _form(inside)[0]:
                raise BadSource(f"{without_credentials(path)}: its ending is not one of {', '.join(FORMS)}; rename it")
        else:
            raise BadSource(f"{without_credentials(path)}: there is no such file or folder")
        for name in names:
            form, packing = _form(name)
            if form:
                yield _source(system, name, root, form, packing, by)
    except OSError as error:
        raise BadSource(f"{without_credentials(path)}: {error.strerror or type(error).__name__}") from None


def _system(path: str) -> Any:
    try:
        return library("fsspec.core").url_to_fs(path)
    except (ValueError, ImportError) as error:
        raise BadSource(f"{without_credentials(path)}: {error}") from None


def _form(name: str) -> tuple[str, str]:
    """The form of a file, which is empty if it is not a dump, and how it is packed."""
    name = name.lower()
    packing = next((end for end in PACKINGS if name.endswith(end)), "")
    plain = name.removesuffix(packing)
    return next((form for end, form in FORMS.items() if plain.endswith(end)), ""), PACKINGS.get(packing, "")


def _source(system: Any, name: str, root: str, form: str, packing: str, by: str) -> Source:
    about = system.info(name)
    known = "\n".join(f"{one}={about[one]}" for one in _KNOWN_BY if one in about)
    inside = name[len(root) :].strip("/").split("/")
    return Source(
        system.unstrip_protocol(name),
        "/".join((root.rpartition("/")[2], *inside)).strip("/"),
        _cluster(inside, name, by),
        form,
        packing,
        int(about.get("size") or 0),
        blake2b(known.encode(), digest_size=16).hexdigest(),
    )


def _cluster(inside: Sequence[str], name: str, by: str) -> str:
    """The cluster of a file: its folder, as in `prod-1/pods.jsonl` or `cluster=prod-1/0.parquet`, or its own name."""
    if by == "folder":
        folder = name.split("/")[-2] if "/" in name else ""
    else:
        folder = inside[0] if by == "auto" and len(inside) > 1 else ""
    return folder.removeprefix("cluster=") if folder else inside[-1].partition(".")[0]
