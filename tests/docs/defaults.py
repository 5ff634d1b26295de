"""The table of docs/cluster-defaults.md, as it is printed from the code; `python -m tests.docs.reference` writes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kubemerge.cluster.embedded.admission.defaults.pods import PODS, SERVICES_AND_CLAIMS, VOLUMES
from kubemerge.cluster.embedded.admission.defaults.rules import REMOVED, Computed
from kubemerge.cluster.embedded.admission.defaults.secrets import SECRETS
from kubemerge.cluster.embedded.admission.defaults.workloads import WORKLOADS

if TYPE_CHECKING:
    from kubemerge.cluster.embedded.admission.defaults.rules import Default, Group

HEAD = "| of | field | default | when | releases | source |\n|---|---|---|---|---|---|\n"
SECTIONS = {
    "Workloads": WORKLOADS,
    "Pods": PODS,
    "Volumes": VOLUMES,
    "Services and claims": SERVICES_AND_CLAIMS,
    "Secrets": SECRETS,
}


def value(default: Default) -> str:
    if isinstance(default.value, Computed):
        return default.value.words
    return "taken out" if default.value is REMOVED else f"`{json.dumps(default.value)}`"


def releases(default: Default) -> str:
    if default.until:
        return f"until {default.until}" if default.since == "1.7" else f"{default.since} to {default.until}"
    return "all" if default.since == "1.7" else f"since {default.since}"


def condition(default: Default) -> str:
    parts = [default.when.words] if default.when else []
    return "; ".join(parts + (["whatever is there"] if default.unset is None else []))


def rendered(groups: tuple[Group, ...]) -> str:
    """The rows of some groups as the page shows them."""
    return HEAD + "".join(
        f"| {', '.join(group.types)} | `{row.field}` | {value(row)} | {condition(row)} | {releases(row)} "
        f"| {group.source} |\n"
        for group in groups
        for row in group.rows
    )


def page_with_table(page: str) -> str:
    """The page, with the rows of its sections as they are now."""
    for section, groups in SECTIONS.items():
        before, heading, rest = page.partition(f"\n### {section}\n\n")
        page = before + heading + rendered(groups) + "\n" + rest.partition("\n\n")[2]
    return page
