"""The click group of all commands: options, help and errors."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from .argv import normalized, reject_unusable

COMMANDS = {
    "annotate": "Update the annotations of live objects.",
    "api-resources": "List the API resources that the cluster serves.",
    "api-versions": "List the API versions that the cluster serves.",
    "apply": "Apply a config to the embedded cluster, or to a real one.",
    "blame": "Show the origin of each field, in git and in the live object.",
    "cluster": "Import, export, reset or inspect the embedded cluster.",
    "compare": "Compare merge rules between releases, or check an upgrade.",
    "completion": "Print a shell completion script.",
    "create": "Create objects from files or from options.",
    "delete": "Delete live objects.",
    "demo": "Show what kubemerge does, in one minute.",
    "describe": "Show details of live objects.",
    "diff": "Show what `kubectl apply` would change.",
    "edit": "Edit live objects in an editor.",
    "explain": "Show how a kind or one of its fields merges.",
    "fleet": "Check many clusters from dumps of their objects.",
    "generate": "Generate merge tables as a Python package.",
    "get": "Print live objects.",
    "git-merge": "Merge manifests by field, as a git merge driver.",
    "git-setup": "Register the git merge driver and text conversion.",
    "git-textconv": "Print one line for each field of a file, for `git diff`.",
    "kinds": "List the kinds of a release or schema.",
    "label": "Update the labels of live objects.",
    "last-applied": "View, set or check the last-applied-configuration annotation.",
    "lint": "Report rejected manifests, lost fields and deprecations.",
    "lsp": "Run the language server for editors.",
    "mcp": "Serve predictions to AI agents (MCP).",
    "merge": "Print the result of `kubectl apply` for each object.",
    "migrate": "Predict the first server-side apply of a config.",
    "overlay": "Patch objects with partial manifests, as kustomize does.",
    "owners": "Print live objects with the owners of each field.",
    "patch": "Patch live objects, or with --local objects in files.",
    "plan": "Predict the effects of kubectl, Helm, Argo CD or Flux.",
    "releases": "List the supported Kubernetes releases, oldest first.",
    "replace": "Replace live objects with objects from files.",
    "scale": "Set the number of replicas.",
    "serve": "Serve the embedded cluster as a Kubernetes API server.",
    "spec": "Manage the schema snapshots that merge tables come from.",
    "version": "Print the versions of kubemerge and of the cluster.",
    "wait": "Wait for a condition on live objects, or for their deletion.",
    "why": "Explain the value of each field after an apply.",
    "writes": "Report new owners of fields, in recorded writes.",
}
"""The commands, each in the module of its name, with its help line. A module is imported when its command runs."""


SECTIONS = {
    "Merge and explain": ("demo", "merge", "diff", "why", "owners", "blame", "explain", "overlay"),
    "Check": ("lint", "plan", "compare", "migrate", "writes", "last-applied", "fleet", "kinds", "releases"),
    "Cluster commands of kubectl, and the embedded cluster": (
        *("apply", "get", "describe", "create", "delete", "edit", "patch", "replace", "scale", "label", "annotate"),
        *("wait", "api-resources", "api-versions", "cluster", "serve"),
    ),
    "Editor, agent, git, shell and merge tables": (
        *("lsp", "mcp", "git-setup", "completion", "version", "generate", "spec"),
    ),
}
"""The commands in the order of the help, most used first."""
RUN_BY_GIT = ("git-merge", "git-textconv")
"""Commands that the help leaves out, because only git runs them."""


_ONLY_SERVED = (
    *("auth", "autoscale", "certificate", "cluster-info", "cordon", "drain", "events", "expose", "proxy", "rollout"),
    *("run", "set", "taint", "uncordon"),
)
_RUN_CONTAINERS = ("attach", "cp", "debug", "exec", "logs", "port-forward", "top")
KUBECTL_ONLY = {
    **dict.fromkeys(_ONLY_SERVED, ". Run kubectl against `kubemerge serve`"),
    **dict.fromkeys(_RUN_CONTAINERS, ": the embedded cluster runs no containers"),
    "config": ". Select a cluster with --cluster, KUBEMERGE_CLUSTER or --context",
    "kustomize": ". Run `kubectl kustomize DIR`, or apply the result with `kubemerge apply -k DIR`",
}
"""kubectl commands that kubemerge lacks, each with the end of the message: the fix or the reason."""


class KubectlOnly(click.UsageError):
    """A kubectl command that kubemerge lacks."""


class _Commands(click.Group):
    """The commands of the table above. The help is printed without importing any of them."""

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
        """Suggest similar names for an unknown command."""
        if args and args[0] in KUBECTL_ONLY:
            raise KubectlOnly(f"kubemerge has no `{args[0]}`{KUBECTL_ONLY[args[0]]}")
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=3)
            meant = f". Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"kubemerge has no `{args[0]}`{meant}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is None:
            return name, command, rest
        reject_unusable(command, rest)
        return name, command, normalized(command, rest)


_EXIT_CODES = (
    "Exit codes: 0 success, 1 differences or findings, 2 error (1 for cluster commands, as in kubectl), "
    "130 interrupted, 141 broken pipe."
)


@click.group(
    cls=_Commands,
    epilog=_EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="kubemerge", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a traceback on errors.")
def cli(debug: bool) -> None:
    """Merge Kubernetes objects exactly as kubectl apply does, without a cluster.
    New here? Run `kubemerge demo`, a one-minute tour.
    """
