"""The errors and responses of the embedded cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.files import scratch_folder
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.static_manifests.loading import API, PLUGINS
from kubemerge.cluster import open_cluster

from ..replay import sent_to_ours
from ..scenarios import RELEASE, place
from .folders import SHOWN, write_files

if TYPE_CHECKING:
    from ..scenarios import Object


def ours(one: Object) -> list[Object]:
    """The error and the responses of each step. Before the first one, the folder has an empty list of the plugin."""
    with scratch_folder("kubemerge-") as scratch, open_cluster(":memory:", release=RELEASE) as cluster:
        folder = scratch / "manifests"
        empty = f"apiVersion: {API}\nkind: {PLUGINS[one['plugin']][0]}List\nitems: []\n"
        write_files(folder, {"empty.yaml": empty.encode()})
        cluster.use_static_manifests([str(folder)])
        manifests = cluster.static_manifests
        assert manifests is not None
        application = Application(cluster, services={})
        for each in one["setup"]:
            sent_to_ours(application, {"method": "POST", "path": place(each, named=False), "body": each})
        found = []
        for step in one["steps"]:
            write_files(folder, step["files"])
            manifests.refresh()
            answers = [sent_to_ours(application, each) for each in step["requests"]]
            error = manifests.error.why if manifests.error is not None else ""
            found.append({"error": error.replace(str(folder), SHOWN), "answers": answers})
        return found
