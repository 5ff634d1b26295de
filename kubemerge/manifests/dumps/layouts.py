"""The layouts of dumps: the files by which a tree is recognised, and the files that contain objects.

Sources: `oc adm inspect` (github.com/openshift/oc, pkg/cli/admin/inspect), Velero 1.18.3 (pkg/backup/item_backupper.go,
pkg/archive/filesystem.go) and kubectl 1.37.1 (pkg/cmd/clusterinfo/clusterinfo_dump.go).
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from re import Match, Pattern

    Key = tuple[str, str, str, str]

ELIDED = re.compile(rb"[0-9]+ bytes long")
"""The text that `oc adm inspect` writes instead of a value of a Secret."""
_ENDING = r"\.(?:json|ya?ml)"
_ROOT = r"(?P<root>(?:[^/]+/)*?)"
_ALL = "*"


class Layout:
    """A layout: its name, the marks that a tree must have all of, and its files with objects.

    `member` matches a file with objects. Its groups are parts of the key of the file's objects: `namespace`, `group`,
    `resource` and `name`. Without a name, the file is a list with all objects of the resource in the namespace.
    """

    def __init__(self, name: str, marks: Sequence[str], member: str, *, redacts: bool = False) -> None:
        self.name = name
        self.marks: tuple[Pattern[str], ...] = tuple(re.compile(one) for one in marks)
        self.member = re.compile(member)
        self.redacts = redacts
        """Whether the tool replaces the values of Secrets."""

    def recognises(self, names: Sequence[str]) -> bool:
        """Whether these files are a dump of this layout."""
        return all(any(mark.match(name) for name in names) for mark in self.marks)


_INSPECT = (
    rf"{_ROOT}(?:cluster-scoped-resources/(?P<group>[^/]+)/(?P<resource>[^/]+?)(?:/(?P<name>[^/]+))?"
    rf"|namespaces/(?P<own>[^/]+)/(?P=own)"
    rf"|namespaces/(?P<ns_of_pod>[^/]+)/pods/(?P<pod>[^/]+)/(?P=pod)"
    rf"|namespaces/(?P<namespace>[^/]+)/(?!pods/)(?P<its_group>[^/]+)/(?P<its_resource>[^/]+?)(?:/(?P<its_name>[^/]+))?){_ENDING}$"
)
_VELERO = (
    rf"{_ROOT}resources/(?P<resource>[^/]+)/(?:(?P<version>v[0-9][^/]*)/)?"
    r"(?:cluster|namespaces/(?P<namespace>[^/]+))/(?P<name>[^/]+)\.json$"
)
_LISTED = "events|replication-controllers|services|daemonsets|deployments|replicasets|pods"

LAYOUTS = (
    Layout("Velero backup", (_VELERO,), _VELERO),
    Layout(
        "must-gather",
        (
            rf"{_ROOT}(?:cluster-scoped-resources/[^/]+/.+{_ENDING}$|namespaces/[^/]+/core/[^/]+{_ENDING}$"
            rf"|(?:must-gather|inspect)\.local\.[^/]+/(?:.+/)?namespaces/[^/]+/[^/]+/.+{_ENDING}$)",
        ),
        _INSPECT,
        redacts=True,
    ),
    Layout(
        "cluster-info dump",
        (rf"{_ROOT}nodes{_ENDING}$", rf"{_ROOT}[^/]+/replication-controllers{_ENDING}$"),
        rf"{_ROOT}(?:(?P<nodes>nodes)|(?P<namespace>[^/]+)/(?P<resource>{_LISTED})){_ENDING}$",
    ),
)
"""The layouts. The first one that recognises a tree is used."""


def layout_of(names: Sequence[str]) -> Layout | None:
    """The layout of a tree with these files."""
    return next((one for one in LAYOUTS if one.recognises(names)), None)


def tops_in(names: Iterable[str]) -> dict[str, Layout]:
    """The folders of dumps in a tree with these files. The empty name is the tree itself.

    A folder in a dump is no other dump, such as a must-gather in the files of a Pod.
    """
    names = [*names]
    found: dict[str, Layout] = {}
    for layout in LAYOUTS:
        roots = [{_top(match) for name in names if (match := mark.match(name))} for mark in layout.marks]
        for top in set[str].intersection(*roots):
            found.setdefault(top, layout)
    return {top: found[top] for top in sorted(found) if not any(_is_below(top, other) for other in found)}


def _top(found: Match[str]) -> str:
    """The folder of a dump, which for a must-gather contains the trees of all its images."""
    local = LOCAL.search(found[0])
    return found[0][: local.end()] if local else found["root"].rstrip("/")


def _is_below(folder: str, other: str) -> bool:
    return folder != other and (not other or folder.startswith(f"{other}/"))


LOCAL = re.compile(r"(?:^|(?<=/))(?:must-gather|inspect)\.local\.[^/]+(?=/)")
"""The name of the folder that `oc adm must-gather` and `oc adm inspect` create."""


def with_objects(layout: Layout, names: Iterable[str]) -> list[str]:
    """The files to read, in the given order: those with objects, and each object once as far as names show it.

    A list contains all objects of its resource in its namespace, so files of single ones are left out. Velero stores an
    object again for each version of its API group, and a must-gather has a tree for each of its images.
    """
    best: dict[Key, tuple[int, str]] = {}
    for name in names:
        found = layout.member.match(name)
        if found:
            key, rank = _key(found), _rank(found)
            if key not in best or rank < best[key][0]:
                best[key] = rank, name
    kept = {name for key, (_, name) in best.items() if key[3] == _ALL or (*key[:3], _ALL) not in best}
    return [name for name in names if name in kept]


def _key(found: Match[str]) -> Key:
    parts = found.groupdict()
    if parts.get("own"):
        return "", "core", "namespaces", parts["own"]
    if parts.get("pod"):
        return parts["ns_of_pod"], "core", "pods", parts["pod"]
    namespace = parts.get("namespace") or ""
    if parts.get("its_group"):
        return namespace, parts["its_group"], parts["its_resource"], parts["its_name"] or _ALL
    resource = parts.get("resource") or parts.get("nodes") or ""
    return namespace, parts.get("group") or "", resource, parts.get("name") or _ALL


def _rank(found: Match[str]) -> int:
    """The order of preference of files with the same object."""
    version = found.groupdict().get("version")
    return 0 if not version else 1 if version.endswith("-preferredversion") else 2
