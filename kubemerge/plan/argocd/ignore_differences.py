"""Argo CD's rules for fields whose differences are ignored: `ignoreDifferences`."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.documents.problems import BadDocument
from codegen.documents.yaml_text import documents
from engine import FieldSet, MergeError
from engine.serverside.fields import trees
from engine.serverside.typed.compare import compare
from engine.serverside.typed.remove import remove_paths
from engine.serverside.typed.validate import validate

from ..metadata import entries_of, texts_of
from ..pointers import removed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from engine.serverside.typed.schema import Atom

    from ..settings import Section

    Object = dict[str, Any]

ANNOTATION = "argocd.argoproj.io/ignore-differences"
_ENDLESS = re.compile(
    r"\b(def|reduce|foreach|while|until|repeat|range|recurse|limit|label|import|include|input\w*|env)\b"
)
"""jq keywords with which a program may run forever, or read other input."""


class IgnoreRule(NamedTuple):
    """One rule. Empty names match every object."""

    group: str
    kind: str
    name: str
    namespace: str
    pointers: tuple[str, ...]
    programs: tuple[Callable[[Object], list[Any]], ...]
    managers: tuple[str, ...]

    def matches(self, content: Object) -> bool:
        """Whether the rule applies to an object."""
        metadata = content["metadata"]
        group = content["apiVersion"].rpartition("/")[0]
        return (
            fnmatchcase(group, self.group)
            and fnmatchcase(content["kind"], self.kind)
            and self.name in ("", metadata.get("name"))
            and self.namespace in ("", metadata.get("namespace") or "")
        )


class IgnoreRules(NamedTuple):
    """The rules of an Application and of the ConfigMap `argocd-cm`."""

    rules: tuple[IgnoreRule, ...]

    @classmethod
    def read(cls, sections: Iterable[Section], everywhere: Sequence[str]) -> IgnoreRules:
        """The rules of manifests, and pointers that are ignored in every object."""
        rules = [_rule(one) for one in sections]
        if everywhere:
            rules.append(IgnoreRule("*", "*", "", "", tuple(everywhere), (), ()))
        return cls(tuple(rules))

    def with_annotation(self, config: Object | None) -> IgnoreRules:
        """These rules, with those in an annotation of the config."""
        found = None if config is None else texts_of(config, "annotations").get(ANNOTATION)
        if config is None or not isinstance(found, str) or not found:
            return self
        try:
            value = next(iter(documents(found)), None)
        except BadDocument:
            return self
        pointers = value.get("jsonPointers") if isinstance(value, dict) else None
        if not isinstance(pointers, list) or not all(isinstance(one, str) for one in pointers):
            return self
        metadata = config["metadata"]
        identity = (config["apiVersion"].rpartition("/")[0], config["kind"], metadata["name"])
        rule = IgnoreRule(*identity, metadata.get("namespace") or "", tuple(pointers), (), ())
        return IgnoreRules((*self.rules, rule))

    def normalized(self, content: Object) -> Object:
        """The object without ignored fields."""
        for rule in self.rules:
            if rule.matches(content):
                content = removed(content, rule.pointers)
                for program in rule.programs:
                    content = _run(program, content)
        return content

    def without_managers(self, live: Object, target: Object, atom: Atom) -> tuple[Object, Object]:
        """Both objects without the fields that differ and that a trusted manager owns."""
        trusted = {manager for rule in self.rules if rule.matches(target) for manager in rule.managers}
        entries = [one for one in entries_of(live) if str(one.get("manager")) in trusted]
        if not entries:
            return live, target
        try:
            validate(live, atom, duplicates=False)
            validate(target, atom, duplicates=False)
        except MergeError:
            return live, target
        modified = compare(live, target, atom).modified
        for entry in entries:
            both = trees.intersection(FieldSet.parse(entry.get("fieldsV1")).tree, modified)
            if both:
                live, target = (remove_paths(one, both, atom) or {} for one in (live, target))
        return live, target


def _rule(section: Section) -> IgnoreRule:
    for pointer in section.texts("jsonPointers"):
        if not pointer.startswith("/"):
            raise section.fail(
                "jsonPointers", f"has {pointer!r}, which is not a JSON pointer. Begin it with /, as in /spec."
            )
    return IgnoreRule(
        section.text("group"),
        section.text("kind"),
        section.text("name"),
        section.text("namespace"),
        section.texts("jsonPointers"),
        tuple([_program(section, one) for one in section.texts("jqPathExpressions")]),
        section.texts("managedFieldsManagers"),
    )


def _program(section: Section, expression: str) -> Callable[[Object], list[Any]]:
    """The jq program that deletes a path."""
    word = _ENDLESS.search(expression)
    if word:
        raise section.fail("jqPathExpressions", f"has {expression!r}. Paths with `{word[0]}` are not evaluated.")
    try:
        import jq
    except ImportError:
        problem = "needs the package jq. Install it: pip install 'kubemerge[argocd]'"
        raise section.fail("jqPathExpressions", problem) from None
    try:
        compiled = jq.compile(f"del({expression})")
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise section.fail("jqPathExpressions", f"has {expression!r}, which jq cannot read: {reason}") from None

    def run(content: Object) -> list[Any]:
        found: list[Any] = compiled.input_value(content).all()
        return found

    return run


def _run(program: Callable[[Object], list[Any]], content: Object) -> Object:
    """The object after a program. An object to which it does not apply stays."""
    try:
        found = program(content)
    except ValueError:
        return content
    return found[0] if len(found) == 1 and isinstance(found[0], dict) else content
