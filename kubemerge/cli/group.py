"""The group of all commands, as click knows it: their options, their help and its complaints."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from .argv import refuse_meaningless, spelled

COMMANDS = {
    "annotate": "Update the annotations of live objects.",
    "api-resources": "List the API resources that the cluster serves.",
    "api-versions": "List the API versions that the cluster serves.",
    "apply": "Apply a config to the embedded cluster, or to a real one.",
    "auth": "Tell what somebody may do in the cluster: everything.",
    "autoscale": "Create a HorizontalPodAutoscaler for an object.",
    "certificate": "Approve or deny certificate signing requests.",
    "cluster": "Import, export, reset or inspect the embedded cluster.",
    "cluster-info": "Tell where the cluster is.",
    "compare": "Compare merge rules between releases, or check an upgrade.",
    "completion": "Print a shell completion script.",
    "cordon": "Mark a Node as one that takes no new Pods.",
    "create": "Create objects from files or from options.",
    "delete": "Delete live objects.",
    "demo": "Show what kubemerge does, in one minute.",
    "describe": "Show details of live objects.",
    "diff": "Show what `kubectl apply` would change.",
    "edit": "Edit live objects in an editor.",
    "events": "Print the Events of a namespace, or those about an object.",
    "explain": "Show how a kind or one of its fields merges.",
    "expose": "Create a Service for an object.",
    "fleet": "Check many clusters from dumps of their objects.",
    "generate": "Generate merge tables as a Python package.",
    "get": "Print live objects.",
    "kinds": "List the kinds of a release or schema.",
    "label": "Update the labels of live objects.",
    "last-applied": "View, set or check the last-applied-configuration annotation.",
    "lint": "Report manifests that a server rejects or an apply breaks.",
    "merge": "Print the result of `kubectl apply` for each object.",
    "migrate": "Predict the first server-side apply of a config.",
    "overlay": "Patch objects with sparse configs, as kustomize does.",
    "owners": "Print live objects with the owners of each field.",
    "patch": "Patch live objects, or with --local objects in files.",
    "releases": "List the supported Kubernetes releases, oldest first.",
    "replace": "Replace live objects with objects from files.",
    "rollout": "Restart, pause, resume or undo a rollout, or tell about it.",
    "run": "Create the Pod of an image.",
    "scale": "Set the number of replicas.",
    "serve": "Serve the embedded cluster as a Kubernetes API server.",
    "set": "Set the image, environment, resources and the like of live objects.",
    "spec": "Manage the snapshots that merge tables are generated from.",
    "taint": "Change the taints of Nodes.",
    "uncordon": "Mark a Node as one that takes new Pods.",
    "version": "Print the versions of kubemerge and of the cluster.",
    "wait": "Wait for a condition on live objects, or for their deletion.",
    "why": "Explain the value of each field after an apply.",
}
"""The commands, each in the module of its name, with the line that the help shows; imported when one is called."""


SECTIONS = {
    "Merge and explain": ("demo", "merge", "diff", "why", "owners", "explain", "overlay"),
    "Check": ("lint", "compare", "migrate", "last-applied", "fleet", "kinds", "releases"),
    "Cluster commands, as in kubectl": (
        *("apply", "get", "describe", "create", "delete", "edit", "patch", "replace", "scale", "set", "label"),
        *("annotate", "rollout", "run", "expose", "autoscale", "wait", "events", "auth", "certificate", "cordon"),
        *("uncordon", "taint", "api-resources", "api-versions", "cluster-info"),
    ),
    "Embedded cluster": ("cluster", "serve"),
    "Merge tables and shell": ("generate", "spec", "completion", "version"),
}
"""The commands as the help shows them: what most people look for stands first."""


_RUNS = "the embedded cluster runs no containers"
OF_KUBECTL = {
    "config": "select the embedded cluster with --cluster or KUBEMERGE_CLUSTER",
    "kustomize": "use `kubemerge apply -k DIR` to build a kustomization",
    **dict.fromkeys(("attach", "cp", "debug", "exec", "logs", "port-forward", "proxy", "top"), _RUNS),
    "drain": "a cluster that is a file has no Pods that run; `kubemerge cordon` marks a Node",
}
"""The commands that only kubectl has, each with what to do instead, or why there is none."""


class _Commands(click.Group):
    """The commands of the table above; the help is printed without importing any of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        from .options.ignored import with_accepted

        name = cmd_name.replace("-", "_")
        return with_accepted(getattr(import_module(f"{__package__}.commands.{name}"), name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        widest = max(map(len, COMMANDS))
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), COMMANDS[name]) for name in names])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Names that are near, where there is no such command."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=3)
            meant = f". Did you mean {' or '.join(near)}?" if near else ""
            of_kubectl = f": {OF_KUBECTL[args[0]]}" if args[0] in OF_KUBECTL else ""
            ctx.fail(f"kubemerge has no `{args[0]}`{of_kubectl or meant}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is None:
            return name, command, rest
        refuse_meaningless(command, rest)
        return name, command, spelled(command, rest)


_ENDS = (
    "Exit codes: 0 success, 1 differences or findings, 2 error (1 for cluster commands, as in kubectl), "
    "130 interrupted, 141 broken pipe."
)


@click.group(
    cls=_Commands,
    epilog=_ENDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="kubemerge", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a traceback on errors. Accepted anywhere on the command line.")
def cli(debug: bool) -> None:
    """Merge Kubernetes objects exactly as kubectl apply does, by the rules of any release, without a cluster.

    New here? Run `kubemerge demo`, a one-minute tour.
    """
