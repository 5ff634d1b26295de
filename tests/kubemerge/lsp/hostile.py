"""Hostile documents, and random edits of documents."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: a
  labels: {app: "x", "a/b": 'y'}
spec:
  containers:
  - name: a
    image: "a:1"
    ports:
    - containerPort: 80
      protocol: TCP
  restartPolicy: Never
"""
LIST = """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Service
  metadata: {name: a}
  spec: {type: ClusterIP, ports: [{port: 80, targetPort: &p 8080}, {port: 81, targetPort: *p}]}
- apiVersion: example.com/v1
  kind: Widget
  metadata: {name: w}
  spec:
    colour: red
    parts: [{size: 1}]
"""
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets, singular: widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              colour: {type: string, enum: [blue, red], description: "a *colour*"}
              parts: {type: array, items: {type: object, properties: {size: {type: integer}}}}
"""
SEEDS = (POD, f"{POD}---\n{LIST}", f"{CRD}---\n{LIST}", POD.replace("\n", "\r\n"), LIST.replace("  ", "\t"))
_BITS = (
    *(
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "  ",
        "---\n",
        "...\n",
        ":",
        ": ",
        "- ",
        "? ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "#",
        "|",
        ">",
    ),
    *(
        "'",
        '"',
        "&a",
        "*a",
        "<<: *a",
        "!!int",
        "!x ",
        "%YAML 9.9\n",
        "{{ .Values.x }}",
        "{% if x %}",
        "${X}",
        "😀",
        "é",
    ),
    *(
        "\ud800",
        "\udfff",
        "\u2028",
        "\x85",
        "\x0c",
        "\0",
        "\ufeff",
        "items",
        "apiVersion",
        "kind",
        "List",
        "0x1F",
        "1e999",
    ),
    *(
        ".nan",
        "null",
        "~",
        "yes",
        "2001-01-01",
        "spec:\n",
        "kubemerge: ignore=KM101",
        "a" * 300,
        "- " * 50,
        "[" * 60,
        '"a/..\nb": ',
        "\\",
    ),
)


def edits(seed: int, count: int) -> Iterator[tuple[str, int]]:
    """Texts after one random edit each, with the offset of the edit. After some edits, a text is fresh."""
    chance = random.Random(seed)
    text = ""
    for number in range(count):
        if number % 25 == 0 or len(text) > 5_000:
            text = chance.choice(SEEDS)
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 0, 1, 2, 10)))
        new = chance.choice(_BITS) if chance.random() < 0.8 else chance.choice(_BITS) + chance.choice(_BITS)
        text = text[:start] + new + text[end:]
        yield text, min(len(text), start + len(new))


def documents() -> dict[str, str]:
    """Documents that are as hard as possible, by name."""
    bomb = "\n".join([f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10) if at else 'x'}]" for at in range(12)])
    head = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
    return {
        "deep brackets": f"{head}spec: {'[' * 100_000}",
        "deep braces": f"{head}spec: {'{a: ' * 50_000}",
        "deep dashes": f"{head}spec:\n{'- ' * 100_000}x",
        "deep blocks": head + "".join(f"{' ' * at}a:\n" for at in range(1_500)),
        "an alias bomb": f"{head}{bomb}\n",
        "a huge line": f"{head}data: {{a: {'x' * 1_000_000}}}\n",
        "a huge line of spaces": f"{head}data:{' ' * 1_000_000}x\n",
        "a huge line of quotes": f"{head}data: {chr(34) * 200_000}\n",
        "a huge line of colons": f"{head}{'a: ' * 200_000}\n",
        "many keys": head + "".join(f"k{at}: 1\n" for at in range(4_000)),
        "many documents": "---\n" * 10_000,
        "many small objects": f"{head}---\n" * 2_000,
        "many comments": f"{head}{'# kubemerge: ignore=KM101' * 20_000}\n",
        "surrogates": f"{head}a: \ud800\udfff\ud83d\n",
        "emoji": f"{head}a: {'😀' * 10_000}\n",
        "NUL": f"{head}a: \0\n",
        "binary": bytes(range(256)).decode("latin-1") * 200 + head,
        "odd breaks": head.replace("\n", "\u2028") + head.replace("\n", "\x85") + head.replace("\n", "\r"),
        "a byte order mark": f"\ufeff{head}---\n\ufeff{head}",
        "Helm": f"{head}spec:\n  {{{{- if .Values.x }}}}\n  a: {{{{ .Values.y }}}}\n  {{{{- end }}}}\n",
        "Jinja": f"{head}spec:\n  {{% for x in y %}}\n  a: {{{{ x }}}}\n  {{% endfor %}}\n",
        "HTML": "<!doctype html><html><body>kind apiVersion</body></html>",
        "JSON": '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"x": [1, {"y": null}]',
        "a List in a List": "kind: List\napiVersion: v1\nitems:\n"
        + "".join(f"{'  ' * at}- kind: List\n{'  ' * at}  apiVersion: v1\n{'  ' * at}  items:\n" for at in range(80)),
        "a definition with odd fields": CRD.replace("type: object", "type: {a: [1]}").replace(
            "versions:", "versions: 3\n  x:"
        ),
        "keys of other types": f"{head}1: a\nnull: b\n[a, b]: c\n{{a: b}}: d\n? x\n: y\n1.5: z\n",
        "tags": f"{head}a: !!python/object/apply:os.system ['true']\nb: !!binary x\n",
        "merge keys": f"{head}x: &x {{a: 1}}\nspec:\n  <<: [*x, *x, 1]\n  <<: *y\n",
        "": "",
    }
