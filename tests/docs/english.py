"""Lint the English of pages, docstrings and messages: `python -m tests.docs.english [--AREA] [FILES]`.

Each finding is printed as `file:line: rule: phrase`, and each area with its count per 1,000 words. Code blocks, inline
code and quoted text are skipped. `--summary` prints only counts, `--rules` the rules.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parent.parent.parent
PAGES, REFERENCE, DOCSTRINGS, MESSAGES, COMMENTS = AREAS = ("pages", "reference", "docstrings", "messages", "comments")
"""Pages written by hand, pages printed from the code, docstrings, help with error messages, and comments."""

PRINTED = ("docs/reference/commands.md", "docs/reference/python.md", "docs/lint.md")
"""Pages that `python -m tests.docs.reference` prints from docstrings and messages."""
PACKAGES = ("engine", "codegen", "kubemerge", "tests", "website")
"""Packages whose docstrings are checked."""
WITH_MESSAGES = ("engine", "codegen", "kubemerge")
"""Packages whose messages are checked."""
UPSTREAM = ("kubemerge/apiserver/", "kubemerge/printers/")
"""Folders whose messages repeat the exact words of the API server and of kubectl."""
EXACT = {
    "Printed by `kubemerge generate`; do not edit.": "the mark of generated files, also of those that users generated",
    "cannot use generate name with apply; Xx": "kubectl's words, then our advice",
    "metadata.managedFields must be nil; leave it out of config": "the API server's words, then our advice",
    "failed to convert live object (/; Xx, Kind=Scale) to proper version": "the API server's words",
    "to match the existing value; in this case, you'll become the manager": "kubectl's words",
    'invalid - validate option "Xx"': "kubectl's words",
    "The connection to the server Xx was refused - did you specify the right host or port?": "kubectl's words",
}
"""Phrases of messages that must not change, with the reason. A message that contains one is not checked."""
NOT_PROSE = frozenset({"example", "pattern", "metavar", "sep", "end"})
"""Keyword arguments whose strings are not prose."""

MOST_WORDS = 35
"""In a sentence."""


class Rule(NamedTuple):
    """An odd phrase: the name of the rule, the pattern, the better wording, and the areas it is limited to."""

    name: str
    pattern: re.Pattern[str]
    advice: str
    areas: tuple[str, ...] = AREAS


class Text(NamedTuple):
    """A paragraph, heading, list item, table cell or message, with the line it begins in."""

    line: int
    text: str


class Problem(NamedTuple):
    """A finding in a file."""

    file: str
    line: int
    rule: str
    phrase: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.phrase}"


class Found(NamedTuple):
    """The findings of an area, and its number of words."""

    problems: list[Problem]
    words: int

    @property
    def rate(self) -> float:
        """Findings per 1,000 words."""
        return 1000 * len(self.problems) / max(self.words, 1)


def _compiled(pattern: str, *, exact: bool = False) -> re.Pattern[str]:
    return re.compile(pattern, 0 if exact else re.IGNORECASE)


def _rule(name: str, advice: str, *patterns: str, areas: tuple[str, ...] = AREAS, exact: bool = False) -> Rule:
    return Rule(name, _compiled("|".join(patterns), exact=exact), advice, areas)


_PEOPLE = (
    r"(?:users?|people|persons?|readers?|someone|everyone|teams?|engineers?|maintainers?|reviewers?|authors?"
    r"|developers?|he|she|you|we|I|others)"
)
_NOT_A_NOUN = r"(?:its|this|these|those|whose|as|is|was|has|does|always|us|plus|thus|unless|less|across|various)"
_PRODUCT = r"(?:GitLab|GitHub|pre-commit)"

RULES = (
    _rule(
        "clause-subject",
        "Name the thing: 'Fields that the server defaults', not 'What the server fills in'.",
        r"(?:^|(?<=[.:;] ))(?:What(?!'s)|Who|Whose|How(?![ -]to\b)|Which(?! of\b))\b(?![^.:;]*\?)[^.,;:]{0,60}",
        r"[:;] ?(?:and |but |or |so )?(?:what|who|whether|how(?! to\b| many\b| much\b)) \w[^.,;:?]{0,40}(?![^.;:]*\?)",
        r", (?:and |but |so )?what (?:is|are|was|were|has|have) [^.,;:?]{0,40}",
        r"(?:^|[.:;] )and what\b[^.,;:?]{0,40}",
        exact=True,
    ),
    _rule(
        "clause-subject",
        "Only the docstring of a condition may start with 'Whether'.",
        r"(?:^|(?<=[.:;] ))Whether (?!to\b)[^.,;:?]{0,60}",
        areas=(PAGES, REFERENCE, MESSAGES),
        exact=True,
    ),
    _rule(
        "clause-object",
        "Name the thing: 'Print a completion script', not 'Print what makes a shell complete'.",
        r"\b(?:says?|said|tells?|told|prints?|gives?|names?|does|do|correct|adds?|keeps?|takes?|returns?|answers?|makes?"
        r"|of|for|to|with|by|about|from|as|is|are|was|and|or|in|on) what \w+",
        r"\b(?:says?|said|tells?|told|asks?|knows?|answers?|of|about|by|on) (?:whether|who|how) \w+",
    ),
    _rule(
        "there-are",
        "Use the verb or the participle: 'supported releases', 'the number of replicas'.",
        r"\bthat there (?:is|are|was|were|should|may|will|can)\b",
        r"\bthere (?:is|are|was|were|has|have) to\b",
        r"\bwhat there (?:is|are)\b",
        r"\bthat there should be\b",
    ),
    _rule("tell", "report, print, distinguish.", r"\b(?:tell|tells|told|telling)\b"),
    _rule(
        "say",
        "A command prints, a rule reports, a field contains.",
        rf"\b(?!{_PEOPLE} )[\w-]+(?<! to)(?: not| never| only| also)? (?:says|saying)\b",
        rf"\b(?!{_PEOPLE} )[\w-]+ (?:say)\b(?! so)",
        r"\b(?:said|(?:says|say) (?:so|it|no))\b",
    ),
    _rule(
        "personification",
        "Files, rules and servers do not ask, mind, know, want or answer.",
        rf"\b(?!{_PEOPLE}\b)[\w-]+ (?:asks|minds|knows|wants)\b",
        rf"\b(?!{_PEOPLE}\b|{_NOT_A_NOUN}\b)(?:[\w-]+s|they|which|that) (?:ask|mind|know|want)\b",
        rf"\b(?!{_PEOPLE}\b)[\w-]+ (?:does|do|did|will|would|need)(?: not)? (?:ask|mind|know|want)\b",
        r"\b(?:is|are|was|were|be|been) asked\b",
        r"\bthat the (?:message|warning|rule|file) (?:allows|names|wants)\b",
        r"\bwhat the (?:message|warning|rule|file) \w+s\b",
    ),
    _rule(
        "answer",
        "return, respond; the response.",
        r"\b(?:answering|answered)\b",
        r"(?<!the )(?<!their )(?<!its )(?<!of )(?<!and )(?<!same )(?<!no )(?<!more )(?<!its own )\banswers\b",
        rf"\b(?!{_NOT_A_NOUN}\b)(?:[\w-]+s|they|which|that|to|not|must|can|will|would|should) answer\b",
        r"\b(?:server|cluster|command|kubectl)'?s? answers?\b",
        r"\banswers? (?:of|from) (?:a|an|the) [\w ]{0,12}(?:server|cluster|command)",
    ),
    _rule(
        "refuse",
        "reject, unless the API server's own words are quoted.",
        r"(?<!connection )\brefus(?:e|es|ed|ing|als?)\b",
    ),
    _rule(
        "somebody",
        "Name it: another manager, a user, a controller.",
        r"\b(?:some|any|no|every)body (?!else\b)[\w']+",
        r"\bof somebody\b",
    ),
    _rule(
        "trailing-which",
        "Start a new sentence, or use an apposition.",
        r", which (?:is|are|was|were) (?:a|an|one|no|none|what|how|why|good|not|also|all|where|nothing)\b",
        r"\bthat is a file\b",
    ),
    _rule(
        "of-it",
        "Use a possessive or a compound: 'its fields', 'the object's owners'.",
        r"\bof (?:its|your|their|one's|our|somebody's) own\b",
        r"(?<!\bone )(?<!\ball )(?<!\bsome )(?<!\bmost )(?<!\bany )(?<!\bpart )(?<!\bparts )(?<!\bnone )(?<!\bboth )"
        r"(?<!\binstead )(?<!\bcopy )(?<!\brest )(?<!\bhalf )(?<!\boutside )(?<!\bout )(?<!\btop )(?<!\beach )"
        r"(?<!\bahead )(?<!\binside )(?<!\bbecause )\bof it\b",
    ),
    _rule("of-chain", "Use compounds or possessives.", r"\bof (?:[\w'-]+ ){1,4}of (?:[\w'-]+ ){1,4}of \w+"),
    _rule(
        "of-compound",
        "GitLab Code Quality, pre-commit hooks, batch/v1 CronJob.",
        rf"\b(?:code quality|hooks?|components?|actions?|annotations?) (?:of|for|on) {_PRODUCT}\b",
        r"\b[A-Z]\w+ of (?:[a-z0-9.]+/)?v\d\w*",
    ),
    _rule(
        "one",
        "Say 'you', use the imperative, or name the thing.",
        r"\b(?:what|as|if|when|where|how|that) one (?:does|can|may|must|wants|needs|would|should|could|asks|sees|reads"
        r"|knows|uses|writes)\b",
        r"(?:^|(?<=\. ))One (?:does|can|may|must|wants|needs|would|should|could)\b",
        r"\bone's\b",
        r"\b(?:as|is|not|of|by|with|from|to|for|like) one (?:that|which|whose|without)\b",
        r"\b(?:is|are|was|were|by|from|with|to) (?:that|those) of\b",
        r"\ba new one of\b|\bsuch a one\b",
    ),
    _rule("no-other", "only; read-only.", r"\b(?:and|but|with) no other\b(?! \w)", r"\bno other(?=\s*(?:[.,;:)]|$))"),
    _rule("else-those", "Default: ...", r"[;,:] else (?:those|that|the ones?|it|they|what)\b"),
    _rule(
        "odd-verb",
        "fix, include, import, list, need no, take precedence, record, compare with.",
        r"\bput(?:s|ting)? (?:\w+ )?right\b",
        r"\btak(?:e|es|en|ing) (?:it |them |this )?in\b(?! (?:place|account|order|turn|the|a)\b)",
        r"\bbr(?:ing|ings|ought) (?:[\w-]+ ){0,3}along\b",
        r"\bg[eo]ts? along\b",
        r"\b(?:do|does|did|done) without\b",
        r"\b(?:do|does|did) it\b(?!\?)",
        r"\bgo(?:es)? before\b",
        r"\bbook(?:s|ed) (?:on|it|them|what|under|by|as|to)\b",
        r"\bholds? [\w -]{1,40} against\b",
        r"\b(?:is|are) waited for\b",
        r"\bbecomes? of\b",
        r"\bcomes? of\b",
        r"\bto have (?:it )?said\b",
        r"\bstands? (?:in|on|there|here|beside|below|above|where)\b",
        r"\blies? (?:in|beside|there|below|on)\b",
    ),
    _rule(
        "odd-phrase",
        "Use the established term.",
        r"\bways? out\b",
        r"\bof the kind that\b",
        r"\bgood to know\b",
        r"\bno fault\b",
        r"\bit is (?:not|no) (?:an? )?(?:error|fault)\b",
        r"\bon all sides\b",
        r"\b(?:never|not|no|none) un(?:changed|known|touched|used)\b",
        r"\bthat are missing or too many\b",
        r"\bin wrong capitals\b",
        r"\bthe right to (?:read|write)\b",
        r"\bwhich is no\b",
        r"\bbe it (?:for|by|in|with|that)\b",
        r"\banew\b",
        r"\bby itself as\b",
    ),
    _rule(
        "metaphor",
        "package, layer, module.",
        r"\b(?:rooms?|floors?|houses?|roofs?|stairs|doors?|neighbou?rs?|cellars?)\b",
        r"\b(?:a|the|this|whole) building\b(?! (?:block|of))",
    ),
    Rule("semicolon", re.compile(r"[^;]{0,30};(?=\s)"), "Write two sentences.", (MESSAGES,)),
)

_CODE = re.compile(r"``[^`]+``|`[^`]+`")
_QUOTED = re.compile(r'"[^"\n]{2,200}"|“[^”]{2,200}”|(?<!\w)\'[^\'\n]{2,80}\'(?!\w)')
_LINK = re.compile(r"(!?\[)([^\]]*)(\](?:\([^)\s]*\)|\[[^\]]*\]))")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.|[a-z]\))\s+")
_END = re.compile(r"(?<=[.?!])[\s*_)]+(?=[A-Za-z0-9(*`\"'])|\n\s*\n")
_END_IN_A_LIST = re.compile(rf"{_END.pattern}|; ")
"""Cells and titles have no full stop; a semicolon separates their parts."""
_FOR_TOOLS = re.compile(r"#!|#\s*(?:noqa|type:|pragma|fmt:|ruff:|mypy:)")
_WORD = re.compile(r"[A-Za-z0-9][\w'/.-]*")


def problems_of(text: str, area: str) -> Iterator[tuple[int, str, str]]:
    """The findings of one piece of text: offset, rule and phrase."""
    plain, offsets = _plain(text)
    for rule in RULES:
        if area in rule.areas:
            for found in rule.pattern.finditer(plain):
                start, end = offsets[found.start()], offsets[found.end() - 1] + 1
                yield start, rule.name, " ".join(text[start:end].split())
    start = 0
    ends = _END if plain.rstrip().endswith((".", ":", "?", "!")) else _END_IN_A_LIST
    for end in [*(found.end() for found in ends.finditer(plain)), len(plain)]:
        words = len(_WORD.findall(plain[start:end]))
        if words > MOST_WORDS:
            yield offsets[start], "long-sentence", f"{words} words: {' '.join(plain[start:end].split()[:6])} ..."
        start = end


def _plain(text: str) -> tuple[str, list[int]]:
    """The text with code, quoted words and addresses as one word each and single spaces; the offset of each letter."""

    def word(found: re.Match[str]) -> str:
        return "X" + "x" * (len(found[0]) - 1)

    def label(found: re.Match[str]) -> str:
        return " " * len(found[1]) + found[2] + " " * len(found[3])

    same = _LINK.sub(label, _CODE.sub(word, text))
    same = _QUOTED.sub(word, re.sub(r"https?://\S+", word, same))
    same = re.sub(r"[*_]{1,2}(?=\w)|(?<=\w)\*{1,2}", lambda found: " " * len(found[0]), same)
    dropped = {
        index for found in re.finditer(r"^\s+|\s+$|\s+(?=[.,;:?!)])|(?<=\s)\s+", same) for index in range(*found.span())
    }
    offsets = [index for index in range(len(same)) if index not in dropped]
    return re.sub(r"\s", " ", "".join(same[index] for index in offsets)), offsets


def texts_of(markdown: str, first: int = 1) -> Iterator[Text]:
    """The paragraphs, headings, list items and cells of Markdown, without its code."""
    lines: list[str] = []
    begins, fence, after_blank, in_list, comment = first, "", True, False, False
    for number, line in enumerate(markdown.split("\n"), first):
        stripped = line.strip()
        if fence:
            fence = "" if stripped.startswith(fence) else fence
            continue
        comment = comment or stripped.startswith("<!--")
        opens = re.match(r"(```+|~~~+)", stripped)
        code = line.startswith("    ") and after_blank and not in_list and not lines
        item = _ITEM.match(line)
        breaks = not stripped or comment or bool(opens) or code or bool(item) or stripped.startswith(("#", "|", ">>>"))
        if breaks and lines:
            yield Text(begins, "\n".join(lines))
            lines = []
        after_blank = not stripped or code
        in_list = bool(item) or (in_list and (not stripped or line.startswith(" ")))
        if opens:
            fence = opens[1]
        elif comment:
            comment = "-->" not in stripped
        elif stripped.startswith("|"):
            yield from (Text(number, cell.strip()) for cell in re.split(r"(?<!\\)\|", stripped) if cell.strip(" -:"))
        elif stripped.startswith("#"):
            yield Text(number, stripped.lstrip("# "))
        elif stripped and not code and not stripped.startswith(">>>"):
            begins = begins if lines else number
            lines.append(line[item.end() :] if item else stripped)
    if lines:
        yield Text(begins, "\n".join(lines))


def docstrings_of(source: str) -> Iterator[Text]:
    """The docstrings of a module, those of attributes too; help of commands is left to `messages_of`."""
    tree = ast.parse(source)
    help_texts = {id(node) for node in _help_texts(tree)}
    for node in ast.walk(tree):
        if _is_text(node) and id(node) not in help_texts:
            yield from _dedented(node.lineno, node.value.value)  # type: ignore[attr-defined]


def comments_of(source: str) -> Iterator[Text]:
    """The comments of a module, successive lines as one text, without those for tools."""
    lines: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or _FOR_TOOLS.match(token.string):
            continue
        number, text = token.start[0], token.string.lstrip("#: ")
        alone = not token.line[: token.start[1]].strip()
        if lines and alone and lines[-1][0] == number - 1:
            lines.append((number, text))
            continue
        if lines:
            yield Text(lines[0][0], "\n".join(text for _, text in lines))
        lines = [(number, text)]
    if lines:
        yield Text(lines[0][0], "\n".join(text for _, text in lines))


def messages_of(source: str) -> Iterator[Text]:
    """The strings of a module that people may read: help, errors, findings."""
    tree = ast.parse(source)
    skipped = {id(node.value) for node in ast.walk(tree) if _is_text(node)}  # type: ignore[attr-defined]
    for helped in _help_texts(tree):
        yield from _dedented(helped.lineno, helped.value.value)  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            skipped |= {
                id(inner) for keyword in node.keywords if keyword.arg in NOT_PROSE for inner in ast.walk(keyword.value)
            }
            if ast.unparse(node.func).startswith(("re.", "_re.")):
                skipped |= {id(inner) for inner in ast.walk(node)}
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values if isinstance(part, ast.Constant)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else "Xx" for part in node.values)
            text = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if _is_prose(text):
            yield from _dedented(node.lineno, text)


def _is_text(node: ast.AST) -> bool:
    """Whether a node is a string used as a statement."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _help_texts(tree: ast.Module) -> Iterator[ast.Expr]:
    """The docstrings that click prints as help."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Expr) and _is_text(node.body[0]):
            decorators = (ast.unparse(decorator) for decorator in node.decorator_list)
            if any(re.search(r"\b(command|group)\b", decorator) for decorator in decorators):
                yield node.body[0]


def _is_prose(text: str) -> bool:
    words = text.split()
    plain = sum(bool(re.fullmatch(r"[`'\"(]*[A-Za-z][a-z'-]*[`'\").,:;!?]*|Xx\S*", word)) for word in words)
    return len(words) >= 3 and plain >= 0.7 * len(words) and not text.lstrip().startswith(("<", "{", "#!"))


def _dedented(line: int, text: str) -> Iterator[Text]:
    first, _, rest = text.partition("\n")
    lines = rest.split("\n")
    indent = min((len(one) - len(one.lstrip()) for one in lines if one.strip()), default=0)
    yield from texts_of("\n".join([first.strip(), *(one[indent:] for one in lines)]), line)


def files_of(area: str) -> list[Path]:
    """The files of an area."""
    if area in (PAGES, REFERENCE):
        names = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/RECORDERS.md")]
        pages = [*names, *sorted((ROOT / "docs").rglob("*.md"))]
        return [page for page in pages if area_of_page(page) == area]
    packages = WITH_MESSAGES if area == MESSAGES else PACKAGES
    files = [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]
    if area != MESSAGES:
        return [file for file in files if "data" not in file.parts and file.name != "test_english.py"]
    return [file for file in files if not file.relative_to(ROOT).as_posix().startswith(UPSTREAM)]


def area_of_page(page: Path) -> str:
    """The area of a page: written by hand, or printed from the code."""
    return REFERENCE if page.resolve().relative_to(ROOT).as_posix().startswith(PRINTED) else PAGES


def check(area: str, files: Iterable[Path]) -> Found:
    """Check files as texts of an area."""
    problems: set[Problem] = set()
    words = 0
    reading = {DOCSTRINGS: docstrings_of, MESSAGES: messages_of, COMMENTS: comments_of}.get(area, texts_of)
    for file in files:
        name = file.resolve().relative_to(ROOT).as_posix() if file.resolve().is_relative_to(ROOT) else str(file)
        for begins, text in reading(file.read_text(encoding="utf-8")):
            words += len(_WORD.findall(_plain(text)[0]))
            if area == MESSAGES and _is_exact(text):
                continue
            for offset, rule, phrase in problems_of(text, area):
                problems.add(Problem(name, begins + text.count("\n", 0, offset), rule, phrase))
    return Found(sorted(problems), words)


def _is_exact(message: str) -> bool:
    """Whether a message contains words that must not change."""
    words = " ".join(message.split())
    return any(phrase in words for phrase in EXACT)


def main() -> int:
    """Print the findings of the areas or files that the command line names; exit with 1 if there are any."""
    parser = argparse.ArgumentParser(description="Lint the English of pages, docstrings and messages.")
    for area in AREAS:
        parser.add_argument(f"--{area}", action="append_const", const=area, dest="areas", help=f"only {area}")
    parser.add_argument("--summary", action="store_true", help="print counts only, by rule and by file")
    parser.add_argument("--rules", action="store_true", help="print the rules")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="Markdown or Python; default: all")
    options = parser.parse_args()
    if options.rules:
        print(*(f"{rule.name}: {rule.advice}" for rule in RULES), sep="\n")
        return 0
    found = False
    for area in options.areas or AREAS:
        files = [file for file in options.files if _belongs(file, area)] if options.files else files_of(area)
        if not files:
            continue
        result = check(area, files)
        found = found or bool(result.problems)
        if not options.summary:
            print(*result.problems, sep="\n", end="\n" if result.problems else "")
        else:
            rules = Counter(problem.rule for problem in result.problems)
            names = Counter(problem.file for problem in result.problems)
            print(*(f"{count:6} {name}" for name, count in [*rules.most_common(), *names.most_common(40)]), sep="\n")
        print(f"{area}: {len(result.problems)} in {result.words} words, {result.rate:.1f} per 1,000", flush=True)
    return 1 if found else 0


def _belongs(file: Path, area: str) -> bool:
    if file.suffix == ".md":
        return area in (PAGES, REFERENCE) and area_of_page(file) == area
    return area in (DOCSTRINGS, MESSAGES, COMMENTS)


if __name__ == "__main__":
    sys.exit(main())
