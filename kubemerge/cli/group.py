"""The group of all commands, as click knows it: their options, their help and its complaints."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from .argv import refuse_meaningless, spelled

COMMANDS = {
    "annotate": "Change the annotations of live objects.",
    "api-resources": "List the kinds that the cluster serves, with their names and verbs.",
    "api-versions": "List the apiVersions that the cluster serves.",
    "apply": "Make the objects of a cluster, which is a file, what a config says.",
    "cluster": "Take in, print, empty or tell about a whole cluster, which is a file.",
    "compare": "Tell what merges differently between releases, API versions or specifications.",
    "completion": "Print what makes a shell complete this command.",
    "create": "Create objects in the cluster, from files or from options.",
    "delete": "Delete live objects.",
    "demo": "Show in a minute what this command is for.",
    "describe": "Tell about live objects in detail.",
    "diff": "Show what `kubectl apply` would change.",
    "edit": "Change live objects in an editor.",
    "explain": "Tell how a kind merges, or one field: `deployment.spec.template.spec.containers`.",
    "fleet": "Lint, upgrade, drift, owners and migrations of many clusters, from dumps.",
    "generate": "Print merge tables as Python modules.",
    "get": "Print live objects.",
    "kinds": "List the kinds of a release, with those of --schema laid over them.",
    "label": "Change the labels of live objects.",
    "last-applied": "View, set or check the annotation that apply keeps its last config in.",
    "lint": "Find what an apply would lose, get wrong or never finish.",
    "merge": "Print what `kubectl apply` makes of the objects in the config.",
    "migrate": "Tell what the first server-side apply of a config would do to live objects.",
    "overlay": "Change objects by sparse configs, as kustomize's patches do.",
    "owners": "Print live objects with the owners of each field beside it, or only what is at PATH.",
    "patch": "Patch live objects, or print what a patch makes of those in files.",
    "releases": "List the Kubernetes releases that there are merge tables for, oldest first.",
    "replace": "Put objects in place of live ones.",
    "scale": "Set how many replicas there are to be.",
    "serve": "Serve the cluster as an API server, for kubectl and all clients of Kubernetes.",
    "spec": "Manage the snapshots that the tables are printed from.",
    "version": "Print the versions of this command and of the cluster.",
    "wait": "Wait until live objects are in some state, or gone.",
    "why": "Tell why every field has its value after an apply, or only those at PATH.",
}
"""The commands, each in the module of its name, with the line that the help shows; imported when one is called."""


SECTIONS = {
    "Merge and explain": ("demo", "merge", "diff", "why", "owners", "explain", "overlay"),
    "Check": ("lint", "compare", "migrate", "last-applied", "fleet", "kinds", "releases"),
    "Work on a cluster, as kubectl does": (
        *("apply", "get", "describe", "create", "delete", "edit", "patch", "replace", "scale", "label", "annotate"),
        *("wait", "api-resources", "api-versions"),
    ),
    "Keep and serve a cluster": ("cluster", "serve"),
    "Tables, and this command": ("generate", "spec", "completion", "version"),
}
"""The commands as the help shows them: what most people look for stands first."""


_ONLY_SERVED = (
    *("auth", "autoscale", "certificate", "cluster-info", "cordon", "drain", "events", "expose", "proxy", "rollout"),
    *("run", "set", "taint", "uncordon"),
)
_RUN_CONTAINERS = ("attach", "cp", "debug", "exec", "logs", "port-forward", "top")
KUBECTL_ONLY = {
    **dict.fromkeys(_ONLY_SERVED, "; run kubectl against `kubemerge serve`"),
    **dict.fromkeys(_RUN_CONTAINERS, ": the embedded cluster runs no containers"),
    "config": "; select a cluster with --cluster, KUBEMERGE_CLUSTER or --context",
    "kustomize": "; run `kubectl kustomize DIR`, or apply the result with `kubemerge apply -k DIR`",
}
"""kubectl commands that kubemerge lacks, each with the end of the message: the fix or the reason."""


class KubectlOnly(click.UsageError):
    """A kubectl command that kubemerge lacks."""


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
        if args and args[0] in KUBECTL_ONLY:
            raise KubectlOnly(f"kubemerge has no `{args[0]}`{KUBECTL_ONLY[args[0]]}")
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=3)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"there is no command {args[0]!r}{meant}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is None:
            return name, command, rest
        refuse_meaningless(command, rest)
        return name, command, spelled(command, rest)


_ENDS = (
    "Exit codes: 0 done, 1 a difference or a finding, 2 an error (1 of the commands that change or show a cluster, as "
    "of kubectl), 130 interrupted, 141 a closed pipe."
)


@click.group(
    cls=_Commands,
    epilog=_ENDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="kubemerge", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a trace when something fails; may stand anywhere.")
def cli(debug: bool) -> None:
    """Merge Kubernetes objects as kubectl apply does, with the rules of any release, without a cluster.

    New here? `kubemerge demo` shows in a minute what it is for.
    """
