"""The rules for a file: settings, schemas, policies, and the CustomResourceDefinitions of the workspace.

They are the same as for `kubemerge lint` in the folder of the file, except that definitions are taken from the whole
workspace, and that open documents take precedence over files.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import engine
from codegen.documents.limits import MAX_BYTES
from codegen.trees import read_regular
from engine import MergeError
from engine.tables.served import group_of

from ..apiserver.unchecked import as_map, maps
from ..linting.definitions import DEFINITION
from ..linting.files import Hidden, LintInputs, given, read_quietly
from ..linting.gate.gate import Gate
from ..linting.gate.releases import releases_of
from ..linting.gathering import Choice, definitions_of, known_in
from ..linting.one_file import FileLinter
from ..linting.reports.codes import selected
from ..linting.repository import git
from ..linting.repository import settings as of_repository
from ..linting.repository.settings import Settings
from ..linting.runs import Linting, about_paths
from ..manifests.files import ENDINGS, BadFile, Files, Tree, display_name
from ..offline.pairs import Others
from ..offline.policies import policies_in
from ..offline.tables import Schemas, specification
from .documents import data_of, documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from engine import Schema, Tables

    from ..linting.reports.model import Unread
    from ..manifests.objects import Manifest

    Key = tuple[str, str]

MOST_FILES = 20_000
"""Files of a workspace that are searched for definitions."""
MOST_BYTES = 4 * 2**20
"""Bytes of a file that is searched for definitions."""
MOST_OF_FOLDER = 500
"""Files of a folder that are compared with a document. Larger folders are left out."""
MOST_FOLDERS = 20_000
"""Folders of a workspace that are searched for manifests."""
_MOST_READ = 1_000
"""Definitions of open documents that are kept."""
_IS_DEFINITION = DEFINITION.decode()
_LEFT_OUT = frozenset({"node_modules", "vendor", "__pycache__"})


class Buffers(Files):
    """The files of the workspace, with the text of open documents instead of their files.

    Nothing but a regular file is read, whatever its name: no pipe, address or kustomization.
    """

    def __init__(self, opened: Mapping[str, bytes]) -> None:
        super().__init__()
        self._opened = opened

    def content(self, name: str) -> tuple[str, bytes]:
        """The name of a file, and its bytes."""
        data = self._opened.get(os.path.normpath(name))
        if data is not None:
            return name, data
        try:
            return display_name(name), read_regular(name, MAX_BYTES)
        except (OSError, ValueError) as error:
            raise BadFile(f"{name}: {error}. Use a readable file") from None


class Rules:
    """Everything but the files that determines the findings, and the knowledge for hover and completion."""

    def __init__(self, settings: Settings, definitions: Sequence[Manifest]) -> None:
        self.settings, self.definitions = settings, definitions
        self.releases = releases_of(settings.release)
        self._schema_paths = [of_repository.inside(settings, "schemas", one) for one in settings.schemas]
        self._policy_paths = [of_repository.inside(settings, "policies", one) for one in settings.policies]
        self.choice = Choice(selected(settings.select, settings.ignore), settings.severity, settings, settings.ignore)
        self.hidden = Hidden(settings.exclude, settings.folder, settings.untracked)
        self.over = [specification(one, Files()) for one in self._schema_paths]
        self.given_definitions = list(definitions_of(read_quietly(self._schema_paths)))
        self._policies = policies_in(self._policy_paths, Files()) if self._policy_paths else []
        self._schemas = self._new_schemas()
        self._lock = threading.Lock()
        self.lock = threading.Lock()
        """For the linter, which several threads use."""
        found = of_repository.inside(settings, "baseline", settings.baseline) if settings.baseline else None
        self.baseline: Counter[str] = known_in(found) if found else Counter()
        paths = about_paths((*self._schema_paths, *self._policy_paths))
        self.linting = Linting(self.linter, None if paths is None else self._about(paths))
        if self._policies:
            self.linting.linter()  # an invalid policy is an error now, not while a document is linted

    def _about(self, paths: Sequence[str]) -> list[str]:
        """The inputs of `kubemerge lint`'s cache key, plus the definitions."""
        return [*self.releases, "language server", *paths, *(repr(one.content) for one in self.definitions)]

    def _new_schemas(self) -> Schemas:
        return Schemas(engine.load(self.releases[0]), self.over, self.definitions)

    def linter(self) -> FileLinter:
        """A new linter for files."""
        definitions = [one.content for one in (*self.definitions, *self.given_definitions)]
        gate = Gate(self.releases, definitions, self._policies)
        return FileLinter(Others((), None, self._new_schemas(), Files()), gate)

    def schema(self, key: Key) -> Schema | None:
        """The merge rules of a kind."""
        with self._lock:
            return self._schemas.of(key)

    def definition(self, key: Key) -> Manifest | None:
        """The definition of a custom kind. As for lint, the last one counts, and schemas of the settings win."""
        every: list[Manifest] = [*reversed(self.given_definitions), *reversed(self.definitions)]
        for one in every:
            spec = as_map(one.content.get("spec"))
            if (spec.get("group"), as_map(spec.get("names")).get("kind")) == (group_of(key[0]), key[1]):
                return one
        return None

    def kinds(self) -> set[Key]:
        """The kinds that every release of the range has, and the custom kinds."""
        every = [set(engine.load(one).kinds()) for one in self.releases]
        custom = [tables.kinds() for tables in self.over]
        defined = map(_kinds_of, (*self.definitions, *self.given_definitions))
        return set.intersection(*every).union(*custom, *defined)

    def tables(self) -> Iterator[Tables]:
        """The tables of each release."""
        return map(engine.load, self.releases)


def _kinds_of(definition: Manifest) -> Iterator[Key]:
    """The kinds that a definition defines, one for each version that is served."""
    spec = as_map(definition.content.get("spec"))
    group, kind = spec.get("group"), as_map(spec.get("names")).get("kind")
    for _, version in maps(spec, "versions"):
        if version.get("served") and isinstance(kind, str):
            yield f"{group}/{version.get('name')}", kind


class Folder(NamedTuple):
    """The other files of a document's folder, and its place among them."""

    included: bool
    """Whether lint would read the document."""
    is_labelled: bool
    """Whether a kustomization adds labels to its objects."""
    inputs: LintInputs


class Repository:
    """The workspace. Only the thread that lints uses it, except for `rules_now`."""

    def __init__(self, root: str | None, tell: Callable[[str], None]) -> None:
        self._root, self._tell = root, tell
        self._index: dict[str, tuple[object, list[Manifest]]] = {}
        self._read: dict[tuple[str, str], list[Manifest]] = {}
        self._stale = True
        self._folders: set[str] = set()
        self._rules: dict[tuple[object, ...], Rules] = {}
        self._told: set[str] = set()
        self._by_folder: dict[str, Rules] = {}
        self._default: Rules | None = None

    def forget_files(self) -> None:
        """Look at all files again before the next document is linted."""
        self._stale = True

    def rules_now(self, name: str) -> Rules:
        """The rules that were found last for a file. Before that, those without settings and definitions."""
        found = self._by_folder.get(os.path.dirname(name))  # noqa: PTH120
        if found is None:
            found = self._default = self._default or Rules(Settings(), ())
        return found

    def rules(self, name: str, opened: Mapping[str, bytes]) -> Rules:
        """The rules for a file, from the present settings and definitions."""
        folder = os.path.dirname(name)  # noqa: PTH120
        if folder not in self._folders:
            self._folders.add(folder)
            self._stale = True
        settings, about = self._settings(folder or ".")
        definitions, state = self._definitions(opened)
        key = (about, state)
        found = self._rules.get(key)
        if found is None:
            try:
                found = Rules(settings, definitions)
            except (MergeError, OSError) as error:
                self._say(str(error))
                found = Rules(Settings(folder=settings.folder), definitions)
            self._rules = {key: found, **dict(list(self._rules.items())[:3])}
        self._by_folder[folder] = found
        return found

    def _say(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._tell(text)

    def _settings(self, folder: str) -> tuple[Settings, tuple[object, ...]]:
        """The settings for a folder, and everything that they depend on."""
        try:
            file = of_repository.find(folder)
            settings = of_repository.read(file) if file else Settings()
            named = [("schemas", one) for one in settings.schemas] + [("policies", one) for one in settings.policies]
            named += [("baseline", settings.baseline)] if settings.baseline else []
            paths = [of_repository.inside(settings, key, one) for key, one in named]
        except MergeError as error:
            self._say(str(error))
            return Settings(), (str(error),)
        return settings, (settings, tuple(about_paths(paths) or ()))

    def _definitions(self, opened: Mapping[str, bytes]) -> tuple[list[Manifest], tuple[object, ...]]:
        """The definitions in the files of the workspace and in open documents, and everything that they depend on."""
        if self._stale:
            self._stale = False
            self._search()
        found = {name: known for name, known in self._index.items() if known[1]}
        for name, data in opened.items():
            found.pop(name, None)
            if DEFINITION in data and len(data) <= MOST_BYTES:
                found[name] = self._of_buffer(name, data)
        ordered = [(name, found[name]) for name in sorted(found)]
        state = tuple((name, known[0]) for name, known in ordered)
        return [one for _, (_, manifests) in ordered for one in manifests], state

    def _of_buffer(self, name: str, data: bytes) -> tuple[object, list[Manifest]]:
        """The definitions of an open document. Each of its YAML documents is read once."""
        parts = [one for one in documents(data.decode("utf-8", "replace")) if _IS_DEFINITION in one.text]
        found = []
        for part in parts:
            known = self._read.get((name, part.text))
            if known is None:
                known = list(definitions_of([(name, data_of(part.text))]))
            self._read[name, part.text] = known
            found += [one.on_line(one.line + part.line) for one in known]
        while len(self._read) > _MOST_READ:
            self._read.pop(next(iter(self._read)))
        return tuple((part.text, part.line) for part in parts), found

    def _search(self) -> None:
        """Read the files that have changed since the last search."""
        index: dict[str, tuple[object, list[Manifest]]] = {}
        trees: dict[str, Tree] = {}
        for path in self._files():
            folder = os.path.dirname(path)  # noqa: PTH120
            try:
                if folder not in trees:
                    trees[folder] = Tree(folder)
                trees[folder].refuse_outside(path)
                stat = os.stat(path)  # noqa: PTH116
                known = self._index.get(path)
                state = stat.st_mtime_ns, stat.st_size
                if known is not None and known[0] == state:
                    index[path] = known
                    continue
                data = read_regular(path, MOST_BYTES) if stat.st_size <= MOST_BYTES else b""
            except (OSError, MergeError):
                continue
            index[path] = state, list(definitions_of([(path, data)]))
        self._index = index

    def _files(self) -> list[str]:
        """The manifests of the workspace, which git tracks if it is a repository, and of the documents' folders."""
        found: list[str] = []
        if self._root is not None:
            tracked = git.tracked(".", recursive=True)
            found = (tracked if tracked is not None else list(_walk(".")))[:MOST_FILES]
        for folder in sorted(self._folders):
            found += _manifests_in(folder)
        return list(dict.fromkeys(map(os.path.normpath, found)))

    def folder(self, name: str, rules: Rules, opened: Mapping[str, bytes]) -> Folder:
        """The files that lint would compare with a file: those of its folder."""
        files = Buffers(opened)
        path = os.path.join(".", name)  # noqa: PTH118 - a bare name may be an address, a kustomization or `-`
        is_file = os.path.exists(path)  # noqa: PTH110
        own = given([path] if is_file else [], files, [rules.hidden], recursive=False)
        labelled = frozenset(map(os.path.normpath, own.labelled))
        folder = os.path.dirname(path)  # noqa: PTH120
        is_small = bool(_manifests_in(folder))
        around = given([folder] if is_small else [], files, [rules.hidden], recursive=False)
        others: list[tuple[str, bytes | Unread]] = []
        others += [(os.path.normpath(source), data) for source, data in around.read if isinstance(data, bytes)]
        return Folder(bool(own.files) or not is_file, name in labelled, LintInputs(others, 0, labelled))


def _manifests_in(folder: str) -> list[str]:
    """The manifests of one folder; none if there are too many."""
    try:
        with os.scandir(folder or ".") as entries:
            found = [one.path for one in islice(entries, MOST_FILES) if one.name.endswith(ENDINGS)]
    except (OSError, ValueError):
        return []
    return found if len(found) <= MOST_OF_FOLDER else []


def _walk(folder: str) -> Iterator[str]:
    """The manifests below a folder, without hidden folders."""
    count = 0
    for at, folders, names in islice(os.walk(folder), MOST_FOLDERS):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _LEFT_OUT)
        for one in sorted(names):
            if one.endswith(ENDINGS):
                count += 1
                yield os.path.join(at, one)  # noqa: PTH118
        if count > MOST_FILES:
            return
