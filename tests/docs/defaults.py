"""The table of docs/cluster-defaults.md, as it is printed from the code; `python -m tests.docs.reference` writes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kubemerge.apiserver.defaulting.pods import PODS, SERVICES_AND_CLAIMS, VOLUMES
from kubemerge.apiserver.defaulting.rules import REMOVED, Computed
from kubemerge.apiserver.defaulting.secrets import SECRETS
from kubemerge.apiserver.defaulting.type_positions import PLACES
from kubemerge.apiserver.defaulting.workloads import WORKLOADS
from kubemerge.apiserver.registry.table import all_records

if TYPE_CHECKING:
    from kubemerge.apiserver.defaulting.rules import Default, Group

HEAD = "| type | field | default | when | releases | source |\n|---|---|---|---|---|---|\n"


def of_records() -> tuple[Group, ...]:
    """The default values in the records of kinds, each once."""
    found: list[Group] = []
    for record in all_records():
        found += [group for group in record.defaults if group not in found]
    return tuple(found)


SECTIONS = {
    "Workloads": WORKLOADS,
    "Pods": PODS,
    "Volumes": VOLUMES,
    "Services and claims": SERVICES_AND_CLAIMS,
    "Secrets": SECRETS,
    "Other kinds": of_records(),
}
CUSTOM = "- **Custom resources**"
PLACED = {**PLACES, **{of: places for record in all_records() for of, places in record.places.items()}}
"""By type, the types that contain it."""


def value(default: Default) -> str:
    if isinstance(default.value, Computed):
        return default.value.words
    return "removed" if default.value is REMOVED else f"`{json.dumps(default.value)}`"


def releases(default: Default) -> str:
    if default.until:
        return f"until {default.until}" if default.since == "1.7" else f"{default.since} to {default.until}"
    return "all" if default.since == "1.7" else f"since {default.since}"


def condition(default: Default) -> str:
    parts = [default.when.words] if default.when else []
    return "; ".join(parts + (["replaces a value in the request"] if default.unset is None else []))


def rendered(groups: tuple[Group, ...]) -> str:
    """The rows of some groups as the page shows them."""
    return HEAD + "".join(
        f"| {', '.join(group.types)} | `{row.field}` | {value(row)} | {condition(row)} | {releases(row)} "
        f"| {group.source} |\n"
        for group in groups
        for row in group.rows
    )


def kinds_listed() -> str:
    """The kinds with their validated apiVersions."""
    records = sorted(all_records(), key=lambda record: record.kind)
    return "".join(f"- **{one.kind}**: {', '.join(f'`{version}`' for version in one.versions)}.\n" for one in records)


def places_listed() -> str:
    """The positions of the types in the table."""
    rows = (
        f"| {of} | `{place.path}` | {place.type} | {place.when.words if place.when else ''} |\n"
        for of, places in PLACED.items()
        for place in places
    )
    return "| type | path | contains | when |\n|---|---|---|---|\n" + "".join(rows)


def page_with_table(page: str) -> str:
    """The page with its current kinds, rows and positions."""
    before, heading, rest = page.partition("\n## Kinds\n\n")
    page = before + heading + kinds_listed() + CUSTOM + rest.partition(CUSTOM)[2]
    before, heading, rest = page.partition("| type | path | contains | when |\n")
    page = before + places_listed() + "\n" + rest.partition("\n\n")[2]
    for section, groups in SECTIONS.items():
        before, heading, rest = page.partition(f"\n### {section}\n\n")
        page = before + heading + rendered(groups) + "\n" + rest.partition("\n\n")[2]
    return page
