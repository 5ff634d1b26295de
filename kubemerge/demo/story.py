"""The chapters of the demo: questions, commands, conclusions and files."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Chapter(NamedTuple):
    """A question, and the commands that illustrate it, each with its expected exit code."""

    question: str
    commands: tuple[tuple[str, int], ...]
    answer: str


CHAPTERS = (
    Chapter(
        "An nginx Deployment runs. Someone scaled it, and an injector added a sidecar.\nThe config only "
        "changes the image. What would kubectl apply do, and why?",
        (("kubemerge why -f nginx/deployment.yaml --live nginx/live.yaml spec", 0),),
        "Each field has its reason. The replicas and the sidecar remain, because the config never contained them.",
    ),
    Chapter(
        "A Service exposes DNS over TCP. The config adds UDP on the same port.",
        (
            ("kubemerge diff -f dns/service.yaml --live dns/live.yaml", 0),
            ("kubemerge lint dns/service.yaml --live dns/live.yaml --severity error", 1),
        ),
        "The new port is lost, and kubectl reports nothing. Lint reports it before you apply.",
    ),
    Chapter(
        "A Deployment changes its strategy to Recreate. Is the result the same in every release?",
        (("kubemerge compare 1.8..1.37 -f strategy/deployment.yaml --live strategy/live.yaml", 0),),
        "No: up to 1.12, apply kept a field that made the API server reject the object.",
    ),
    Chapter(
        "Finally, an apply to the embedded cluster, which behaves like an API server.",
        (
            ("kubemerge apply -f nginx/deployment.yaml", 0),
            ("kubemerge scale deployment/nginx-deployment --replicas=3", 0),
            ("kubemerge apply -f nginx/deployment.yaml", 0),
            ("kubemerge get deployments -o custom-columns=NAME:.metadata.name,REPLICAS:.spec.replicas", 0),
        ),
        "The second apply kept the 3 replicas, as in a real cluster.",
    ),
)


FILES = (
    "dns/live.yaml",
    "dns/service.yaml",
    "nginx/deployment.yaml",
    "nginx/live.yaml",
    "strategy/deployment.yaml",
    "strategy/live.yaml",
)
"""The files that the commands use."""


def files() -> Iterator[tuple[str, bytes]]:
    """The path of each file in the demo folder, and its content."""
    folder = resources.files(__package__) / "files"
    for name in FILES:
        where, _, file = name.partition("/")
        yield name, (folder / where / file).read_bytes()


def write_files(folder: Path) -> None:
    """Write the files into a folder, and create it if it is missing."""
    for name, data in files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
