"""The files of a fleet: finding them by paths, their formats, and their clusters."""

from __future__ import annotations

import os
from glob import glob
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.credentials import without_credentials
from engine import MergeError

from ...manifests.dumps.layouts import tops_in
from ..extra import library
from .listing import is_local, state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FORMS = {
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".parquet": "parquet",
    ".tar": "archive",
    ".tgz": "archive",
    ".zip": "archive",
}
TREE = "tree"
"""The form of a folder that is the dump of a cluster, such as a must-gather."""
PACKINGS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
_MAGIC = frozenset("*?[")
_KNOWN_BY = (
    *("size", "mtime", "LastModified", "last_modified", "updated", "ETag", "etag", "md5Hash", "created"),
    "Last-Modified",
)
"""Metadata of file systems that changes with a file's content."""


class BadSource(MergeError):
    """An invalid path of a dump."""


class Source(NamedTuple):
    """A file of a fleet."""

    url: str
    """The address to open, or of the folder."""
    name: str
    """The name in messages."""
    cluster: str
    """The cluster of its objects, unless a column names another one."""
    form: str
    packing: str
    size: int
    version: str
    """A hash of the metadata that changes with its content."""


def sources(paths: Sequence[str], by: str = "auto") -> list[Source]:
    """The files of the paths, in a stable order; `by` selects the cluster name: the "folder" or the "file".

    The default is the first folder below the path or, without one, the file name. Files in different folders that would
    get the same cluster only because their names are equal are rejected.
    """
    found, roots = dict[str, Source](), dict[str, tuple[str, Source]]()
    for path in paths:
        for root, one in _of(path, by):
            same = found.setdefault(one.url, one)
            if same.cluster != one.cluster:
                raise BadSource(
                    f"{same.name}: given twice, for the clusters {same.cluster} and {one.cluster}. Pass it once"
                )
            other_root, other = roots.setdefault(one.cluster, (root, one))
            if by == "auto" and root != other_root:
                raise BadSource(
                    f"{other.name} and {one.name} would both belong to the cluster {one.cluster}. Name "
                    "clusters with --cluster-by folder, or with --cluster-by file if they belong to one"
                )
    if not found:
        endings, given = ", ".join(FORMS), ", ".join(map(without_credentials, paths))
        raise BadSource(
            f"{given}: no dumps. They end in {endings}, optionally followed by .gz or .zst, or are folders "
            "such as a must-gather"
        )
    return [*found.values()]


def among(folder: str, paths: Sequence[str], found: Iterable[Source]) -> bool:
    """Whether an output folder is in one of the folders of these paths, or was itself found as a dump."""
    place = _place(folder)
    return any(_place(one.url).startswith(place) for one in found) or any(
        place.startswith(_place(path)) for path in paths if not _MAGIC & {*path}
    )


def _place(path: str) -> str:
    """The real path of a file or folder, with a separator appended, so that it is not a prefix of longer names."""
    system, inside = _system(path)
    inside = os.path.realpath(inside).replace(os.sep, "/") if is_local(system) else inside
    return f"{system.unstrip_protocol(inside).rstrip('/')}/"


def _of(path: str, by: str) -> Iterator[tuple[str, Source]]:
    """The files of a path, each with the folder that was searched."""
    system, inside = _system(path)
    try:
        if _MAGIC & {*inside}:
            root = inside[: min(inside.index(one) for one in _MAGIC & {*inside})].rpartition("/")[0]
            names = [one for one in sorted(_globbed(system, inside)) if system.isfile(one)]
        elif system.isdir(inside):
            root, names = inside.rstrip("/"), sorted(system.find(inside))
            above = root.rpartition("/")[0]  # the folder's own name may show that it is a must-gather
            found = tops_in(one[len(above) + 1 :] for one in names)
            trees = [top.partition("/")[2] for top in found]
            yield from ((root, tree_source(system, root, top, by)) for top in trees)
            names = [one for one in names if not any(is_in(one, f"{root}/{top}") for top in trees)]
            _refuse_links(system, names)
        elif system.exists(inside):
            root, names = inside.rpartition("/")[0], [inside]
            if not _parted(inside)[1]:
                raise BadSource(
                    f"{without_credentials(path)}: its extension is not one of {', '.join(FORMS)}. Rename it"
                )
        else:
            raise BadSource(f"{without_credentials(path)}: no such file or folder")
        for name in names:
            if _parted(name)[1]:
                yield root, _source(system, name, root, by)
    except OSError as error:
        raise BadSource(f"{without_credentials(path)}: {error.strerror or type(error).__name__}") from None


def _globbed(system: Any, inside: str) -> list[str]:
    """Expand a glob. fsspec's globs do not follow links to folders, unlike those of a shell."""
    if not is_local(system) or "**" in inside:
        return [*system.glob(inside)]
    return [one.replace(os.sep, "/") for one in glob(inside)]  # noqa: PTH207 - the path is absolute


def _refuse_links(system: Any, names: Sequence[str]) -> None:
    """Reject links to folders. They may form cycles, so they are not followed, and a cluster would be missing."""
    for name in names if is_local(system) else ():
        if os.path.isdir(name) and not os.path.basename(name).startswith("."):  # noqa: PTH112, PTH119
            raise BadSource(
                f"{name}: links to folders are not followed. Name its files with a glob, as in "
                "dumps/*/*.jsonl, or remove it"
            )


def unchanged(source: Source, found: Iterable[Any]) -> Iterator[Any]:
    """Yield results while a file stays unchanged; other machines may have an older or newer copy."""
    before = _state(source)
    yield from found
    if before != _state(source) or before[0] != source.size:
        raise BadSource("the file changed while it was read. Start the run again when it is complete")


def _state(source: Source) -> tuple[int, str]:
    system, inside = _system(source.url)
    if source.form == TREE:
        return state(system, inside)
    try:
        system.invalidate_cache()
        about = system.info(inside)
    except OSError:
        return source.size, ""  # opening it reports the error
    return int(about.get("size") or 0), _version(about)


def _system(path: str) -> Any:
    try:
        return library("fsspec.core").url_to_fs(path)
    except (ValueError, ImportError) as error:
        raise BadSource(f"{without_credentials(path)}: {error}") from None


def _parted(name: str) -> tuple[str, str, str]:
    """A file's name without its endings, its form (empty if it is not a dump), and its packing."""
    packing = _ending(name, PACKINGS)
    plain = name[: len(name) - len(packing)]
    form = _ending(plain, FORMS)
    packed = PACKINGS.get(packing, "")
    known = "" if FORMS.get(form) == "archive" and packed not in ("", "gzip") else FORMS.get(form, "")
    return plain[: len(plain) - len(form)], known, packed


def _ending(name: str, known: Iterable[str]) -> str:
    return next((one for one in known if name.lower().endswith(one)), "")


def _source(system: Any, name: str, root: str, by: str) -> Source:
    _, form, packing = _parted(name)
    inside = name[len(root) :].strip("/").split("/")
    folder = without_credentials(root).rpartition("/")[2]  # which may be a host, with credentials
    called = without_credentials("/".join((folder, *inside)).strip("/"))
    try:
        about = system.info(name)
    except OSError as error:  # such as a broken link, or a file removed since the folder was listed
        raise BadSource(
            f"{called}: {error.strerror or type(error).__name__}. Remove it, or start the run again"
        ) from None
    if about.get("type") == "other":  # reading a pipe may never end
        raise BadSource(f"{called}: not a file. Remove it")
    return Source(
        system.unstrip_protocol(name),
        called,
        _cluster(folder, inside, by),
        form,
        packing,
        int(about.get("size") or 0),
        _version(about),
    )


def tree_source(system: Any, root: str, top: str, by: str) -> Source:
    """A folder that is the dump of a cluster: `top` in the folder `root`, or `root` itself."""
    place = f"{root}/{top}".rstrip("/")
    parent, _, folder = without_credentials(root).rpartition("/")
    inside = [one for one in top.split("/") if one]
    cluster = _cluster(folder, inside, by) if inside else folder
    if not inside and by == "folder":
        cluster = parent.rpartition("/")[2]
    size, version = state(system, place)
    name = without_credentials("/".join((folder, *inside)))
    return Source(system.unstrip_protocol(place), name, cluster, TREE, "", size, version)


def is_in(name: str, folder: str) -> bool:
    """Whether a file is in a folder."""
    return name.startswith(f"{folder.rstrip('/')}/")


def _version(about: Mapping[str, Any]) -> str:
    known = "\n".join(f"{one}={about[one]}" for one in _KNOWN_BY if one in about)
    return blake2b(known.encode(), digest_size=16).hexdigest()


def _cluster(root: str, inside: Sequence[str], by: str) -> str:
    """The cluster of a file: its folder, as in `prod-1/pods.jsonl` or `cluster=prod-1/0.parquet`, or its own name."""
    folder = ""
    if by == "folder":
        folder = (root, *inside)[-2]
    elif by == "auto" and len(inside) > 1:
        folder = inside[0]
    return folder.removeprefix("cluster=") if folder else _parted(inside[-1])[0]
