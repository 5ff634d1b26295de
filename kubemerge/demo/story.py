"""The story of the demo: what is asked, and the commands that answer; and its files."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Chapter(NamedTuple):
    """A question that somebody has, and the commands that answer it, each with how it ends."""

    question: str
    commands: tuple[tuple[str, int], ...]
    answer: str


CHAPTERS = (
    Chapter(
        "An nginx runs. Somebody has scaled it, and something has put a sidecar into it.\n"
        "The config only has a newer image. What would kubectl apply do, and why?",
        (("kubemerge why -f nginx/deployment.yaml --live nginx/live.yaml spec", 0),),
        "Each field has its reason. The replicas and the sidecar stay, because the config has never had them.",
    ),
    Chapter(
        "A Service answers DNS over TCP. The config adds UDP, on the same port.",
        (
            ("kubemerge diff -f dns/service.yaml --live dns/live.yaml", 0),
            ("kubemerge lint dns/service.yaml --live dns/live.yaml --severity error", 1),
        ),
        "The new port is lost, and kubectl does not say so. Lint does, before you apply.",
    ),
    Chapter(
        "A Deployment changes its strategy to Recreate. Does every release agree on the result?",
        (("kubemerge compare 1.8..1.37 -f strategy/deployment.yaml --live strategy/live.yaml", 0),),
        "No: up to 1.12, a field stayed that made the API server refuse the object.",
    ),
    Chapter(
        "And now an apply, to a cluster that is a file and behaves like an API server.",
        (
            ("kubemerge apply -f nginx/deployment.yaml", 0),
            ("kubemerge scale deployment/nginx-deployment --replicas=3", 0),
            ("kubemerge apply -f nginx/deployment.yaml", 0),
            ("kubemerge get deployments -o custom-columns=NAME:.metadata.name,REPLICAS:.spec.replicas", 0),
        ),
        "The second apply kept the 3 replicas, as a real cluster would have.",
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
"""What the commands are about."""


def files() -> Iterator[tuple[str, bytes]]:
    """The path of each file in the folder of the demo, and what it holds."""
    folder = resources.files(__package__) / "files"
    for name in FILES:
        where, _, file = name.partition("/")
        yield name, (folder / where / file).read_bytes()


def write_files(folder: Path) -> None:
    """Lay the files into a folder, which is made if it is not there."""
    for name, data in files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
