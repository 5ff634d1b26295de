"""The GitHub Action: its steps are run in a repository with a change, and their results are checked."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.review.report import MARK, report
from kubemerge.review.sections import Section

from ..attack import active
from .pages import inputs_in_table, yaml_blocks
from .repositories import BAD, CRON_JOB, DEPLOYMENT, GOOD, SECRET, Repository, environment
from .runner import ACTION, TOKEN, Api, Job, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = ACTION["runs"]["steps"]
GOOD_JSON = '{"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}}'
CHANGE: dict[str, str | None] = {
    "manifests/web.yaml": DEPLOYMENT.replace("web:1", "web:2"),
    "manifests/cron.yaml": CRON_JOB,
    "manifests/bad.yaml": BAD,
    "manifests/gone.yaml": None,
    "manifests/values.yaml": "replicas: 3\n",
    "README.md": "changed\n",
}


@pytest.fixture
def api() -> Iterator[Api]:
    with serving(Api()) as found:
        yield found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    found = Repository(tmp_path / "repository", environment(tmp_path))
    found.commit(
        {
            "manifests/web.yaml": DEPLOYMENT,
            "manifests/same.yaml": GOOD.replace("good", "same"),
            "manifests/gone.yaml": GOOD.replace("good", "gone"),
            "secrets/login.yaml": SECRET.replace("PASSWORD", "before-12345"),
        }
    )
    return found


def pull(repository: Repository, **more: Any) -> dict[str, Any]:
    """The event of a pull request that is based on the first commit."""
    base = repository.git("rev-list", "--max-parents=0", "HEAD")
    return {"pull_request": {"number": 7, "base": {"sha": base}, **more}}


@pytest.fixture
def job(repository: Repository, api: Api, tmp_path: Path) -> Job:
    return Job(repository, tmp_path / "job", api)


def test_a_change_is_told_in_one_comment(repository: Repository, job: Job, api: Api) -> None:
    repository.commit(CHANGE)
    code = job.run(pull(repository), paths="manifests", release="1.24..1.26")
    assert code == 1, job.log
    assert job.outputs["lint"]["code"] == "1"
    assert "::error file=manifests/bad.yaml,line=4,col=8,title=KM101" in job.log
    (comment,) = (one["body"] for one in api.comments)
    assert comment.startswith(MARK)
    assert "manifests/cron.yaml:1:1: KM202 error cronjob.batch/nightly" in comment
    assert "| 1.25 | breaking | batch/v1beta1 CronJob was removed in 1.25 |" in comment
    assert "manifests/cron.yaml:1 |" in comment
    assert "-      - image: web:1\n+      - image: web:2" in comment
    assert "no longer in the files: configmap/gone in default" in comment
    assert "same" not in comment, "it has not changed"
    assert comment == job.summary, "the summary says the same"
    log = json.loads(Path(job.outputs["lint"]["sarif"]).read_text())
    assert {one["ruleId"] for one in log["runs"][0]["results"]} == {"KM101", "KM202"}


def test_the_comment_is_changed_in_place(repository: Repository, job: Job, api: Api, tmp_path: Path) -> None:
    for at in range(150):
        api.add(f"a word of somebody, {at}", "User")
    api.add(f"{MARK} written by somebody who read the source", "User")
    repository.commit(CHANGE)
    assert job.run(pull(repository), paths="manifests", fail="never") == 0
    assert [one["body"].startswith(f"{MARK}\n") for one in api.comments[150:]] == [False, True]
    first = api.comments[-1]["body"]
    repository.commit({"manifests/web.yaml": DEPLOYMENT.replace("web:1", "web:3")})
    assert Job(repository, tmp_path / "again", api).run(pull(repository), paths="manifests", fail="never") == 0
    assert len(api.comments) == 152
    assert "web:3" in api.comments[-1]["body"]
    assert api.comments[-1]["body"] != first
    assert api.comments[150]["body"].endswith("who read the source")


def test_a_change_of_something_else_is_not_commented(repository: Repository, job: Job, api: Api) -> None:
    repository.commit({"README.md": "changed\n"})
    assert job.run(pull(repository), paths="manifests") == 0
    assert api.comments == []
    assert "no findings in 3 objects" in job.summary


def test_what_was_taken_back_leaves_a_comment_that_says_so(
    repository: Repository, job: Job, api: Api, tmp_path: Path
) -> None:
    repository.commit({"manifests/web.yaml": DEPLOYMENT.replace("web:1", "web:2")})
    assert job.run(pull(repository), paths="manifests") == 0
    repository.commit({"manifests/web.yaml": DEPLOYMENT})
    assert Job(repository, tmp_path / "again", api).run(pull(repository), paths="manifests") == 0
    (comment,) = (one["body"] for one in api.comments)
    assert "web:2" not in comment


def test_without_the_right_to_comment_the_summary_has_it(repository: Repository, job: Job, api: Api) -> None:
    """As on a pull request from a fork."""
    api.may_write = False
    repository.commit(CHANGE)
    assert job.run(pull(repository), paths="manifests", fail="never") == 0
    assert "There is no comment, only the job summary: HTTP Error 403: Forbidden" in job.log
    assert "image: web:2" in job.summary


@pytest.mark.parametrize(("name", "value"), [("comment", "false"), ("token", "")])
def test_nobody_is_asked_if_nothing_is_to_be_written(
    name: str, value: str, repository: Repository, job: Job, api: Api
) -> None:
    repository.commit(CHANGE)
    assert job.run(pull(repository), paths="manifests", fail="never", **{name: value}) == 0
    assert api.asked == []
    assert "image: web:2" in job.summary


def test_a_push_has_a_summary(repository: Repository, job: Job, api: Api) -> None:
    before = repository.git("rev-parse", "HEAD")
    repository.commit(CHANGE)
    assert job.run({"before": before}, paths="manifests", fail="never") == 0
    assert "image: web:2" in job.summary
    assert api.asked == []


@pytest.mark.parametrize(
    "event", [{}, {"before": "0" * 40}, {"pull_request": {"number": 7, "base": {"sha": "--help"}}}]
)
def test_without_a_commit_to_compare_with_lint_is_told(event: dict[str, Any], repository: Repository, job: Job) -> None:
    assert job.run(event, paths="manifests") == 0, job.log
    assert "There is no commit to compare with" in job.log
    assert "no findings in 3 objects" in job.summary


def test_a_checkout_of_one_commit_is_enough(repository: Repository, api: Api, tmp_path: Path) -> None:
    """`actions/checkout` fetches one: the merge commit of the pull request, without its base commit."""
    event = pull(repository)
    repository.commit(CHANGE)
    repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    shallow = Repository(tmp_path / "shallow", repository.env)
    shallow.git("remote", "add", "origin", f"file://{repository.folder}")
    shallow.git("fetch", "--quiet", "--depth=1", "origin", "main")
    shallow.git("checkout", "--quiet", "FETCH_HEAD")
    job = Job(shallow, tmp_path / "job", api)
    assert job.run(event, paths="manifests", fail="never") == 0, job.log
    assert "-      - image: web:1\n+      - image: web:2" in job.summary


def test_values_of_secrets_and_the_token_are_nowhere(repository: Repository, job: Job, api: Api) -> None:
    repository.commit({"secrets/login.yaml": SECRET.replace("PASSWORD", "after-12345")})
    assert job.run(pull(repository), paths="secrets", upgrade="1.31..1.32", fail="never") == 0, job.log
    assert "secret/login" in api.comments[0]["body"] or "v1.Secret.shop.login" in api.comments[0]["body"]
    files = [file for file in (*job.folder.rglob("*"),) if file.is_file()]
    everything = job.log + api.comments[0]["body"] + "".join(file.read_text(errors="replace") for file in files)
    for hidden in ("before-12345", "after-12345", "YWZ0ZXItMTIzNDU", "YmVmb3JlLTEyMzQ1", TOKEN):
        assert hidden not in everything
    assert not (job.temp / "kubemerge-review").stat().st_mode & 0o077


def test_what_the_change_holds_is_never_run(repository: Repository, job: Job, api: Api) -> None:
    """This includes modules beside the manifests, names of files, inputs, and links."""
    trap = "import pathlib\npathlib.Path('sprung').touch()\n"
    repository.commit(
        {f"{name}.py": trap for name in ("yaml", "click", "json", "sitecustomize", "kubemerge", "engine")}
    )
    name = "manifests/$(touch sprung);`touch sprung` & 'a' \"b\".yaml"
    repository.commit({name: DEPLOYMENT.replace("web", "odd"), "--html=sprung.yaml": GOOD})
    (repository.folder / "manifests" / "link.yaml").symlink_to("/etc/passwd")
    repository.commit({})
    paths = "manifests\n$(touch sprung)\n`touch sprung`\n; touch sprung"
    job.run(pull(repository), paths=paths, release="1.31", base="$(touch sprung)", severity='"; touch sprung; "')
    assert not [*Path(repository.folder).rglob("sprung*")][1:], "only the file of the change"
    job.run(pull(repository), paths=".")
    assert [file.name for file in repository.folder.rglob("sprung*")] == []
    assert "deployment.apps/odd" in job.summary or "Deployment.shop.odd" in job.summary
    assert "root:" not in job.summary


def test_nothing_of_the_change_acts_in_the_log_or_in_the_report(repository: Repository, job: Job, api: Api) -> None:
    hostile = "##[add-matcher]evil \x1b]0;x\x07\u202e\n::stop-commands::x"
    bad = json.dumps(json.loads(GOOD_JSON) | {"metadata": {"name": hostile, "labels": {hostile: 1}}})
    repository.commit({f"m/{hostile}.yaml": "a: [", "m/##[error]x.json.yaml": "]", "m/b\n##vso[x].json": bad})
    job.run(pull(repository), paths="m", release="1.24..1.26")
    (comment,) = (one["body"] for one in api.comments)
    for text in (re.sub("^::error file=", "", job.log, flags=re.MULTILINE), comment):
        assert "add-matcher" in text
        assert not active.acts(text.replace("@\u200b", ""))


def test_no_expression_stands_in_a_script() -> None:
    for step in STEPS:
        assert "${{" not in step["run"]


def test_names_call_nobody(repository: Repository, job: Job, api: Api) -> None:
    odd = CRON_JOB.replace("nightly", '"@org/team"').replace("namespace: shop", 'namespace: "```"')
    repository.commit({"manifests/odd.yaml": odd})
    job.run(pull(repository), paths="manifests", upgrade="1.24..1.25")
    body = api.comments[0]["body"]
    outside = re.sub(r"^(`{3,})\w+\n.*?^\1$", "", body, flags=re.MULTILINE | re.DOTALL)
    assert ("@\u200borg/team" in outside, "@org" in outside, "@org" in body) == (True, False, True)
    assert "### Changes by an apply" in outside


def test_the_report_of_a_large_change_is_cut(repository: Repository, job: Job, api: Api) -> None:
    many = {
        f"manifests/m{at}.yaml": BAD.replace("bad", f"bad-{at}").replace("a: 1", f"a: 1, b: {'x' * 300}")
        for at in range(400)
    }
    many |= {f"manifests/c{at}.yaml": CRON_JOB.replace("nightly", f"job-{at}") for at in range(300)}
    repository.commit(many)
    assert job.run(pull(repository), paths="manifests", release="1.24..1.26", fail="never") == 0, job.log
    (comment,) = (one["body"] for one in api.comments)
    assert 40_000 < len(comment) <= 65_536
    assert "more lines are in the job summary" in comment
    assert len(job.summary.encode()) < 2**20
    for text in (comment, job.summary):
        assert text.count("<details>") == text.count("</details>")
        assert text.count("```") % 2 == 0
    for heading in ("### Lint", "### Upgrade", "### Changes by an apply"):
        assert heading in comment


def test_a_report_has_the_size_that_is_asked_for() -> None:
    parts = [Section(str(at), "line", "\n".join(["`" * 50 + "y" * 70] * 1000), code=at % 2 == 0) for at in range(4)]
    for most in (1_000, 5_000, 65_000):
        assert len(report(parts, most, "elsewhere")) <= most + 1


@pytest.mark.parametrize(
    ("fail", "files", "code"),
    [
        ("findings", {"a.yaml": GOOD}, 0),
        ("findings", {"a.yaml": BAD}, 1),
        ("findings", {"a.yaml": "a: [\n"}, 1),
        ("unread", {"a.yaml": BAD}, 0),
        ("unread", {"a.yaml": "a: [\n"}, 1),
        ("never", {"a.yaml": "a: [\n"}, 0),
        ("nevre", {"a.yaml": GOOD}, 2),
    ],
)
def test_when_the_job_fails_is_for_its_author_to_say(
    fail: str, files: dict[str, str | None], code: int, repository: Repository, job: Job
) -> None:
    repository.commit(files)
    assert job.run(pull(repository), paths="a.yaml", fail=fail) == code, job.log


def test_settings_of_the_repository_hold(repository: Repository, job: Job, api: Api) -> None:
    settings = 'exclude = ["manifests/cron.yaml"]\nignore = ["KM101"]\nrelease = "1.25"\n'
    repository.commit({**CHANGE, "kubemerge.toml": settings})
    assert job.run(pull(repository), paths="manifests", upgrade="1.24..1.26") == 0, job.log
    assert "nightly" not in api.comments[0]["body"]


PAGE = "docs/how-to/github-action.md"


def test_the_page_has_every_input() -> None:
    assert inputs_in_table(PAGE) == {*ACTION["inputs"]}


def test_what_the_page_shows_works(repository: Repository, api: Api, tmp_path: Path) -> None:
    repository.commit(CHANGE)
    workflow, more = yaml_blocks(PAGE)
    assert workflow["permissions"]["pull-requests"] == "write"
    steps = [one for one in (*workflow["jobs"]["manifests"]["steps"], *more) if one["uses"].startswith("kubemerge/")]
    assert len(steps) == 2
    for number, step in enumerate(steps):
        job = Job(repository, tmp_path / f"job{number}", api)
        job.run(pull(repository), **step["with"])
        assert "KM101" in api.comments[0]["body"], job.log
    assert more[1]["with"]["sarif_file"] == "${{ steps.kubemerge.outputs.sarif }}"
    assert "sarif" in ACTION["outputs"]


@pytest.mark.slow
def test_the_whole_action_installs_itself(repository: Repository, api: Api, tmp_path: Path) -> None:
    repository.env = {**repository.env, **{name: text for name, text in os.environ.items() if name.startswith("PIP_")}}
    repository.commit(CHANGE)
    job = Job(repository, tmp_path / "job", api, installs=True)
    code = job.run(pull(repository), paths="manifests", release="1.24..1.26", fail="never")
    if "Could not find a version" in job.log or "No matching distribution" in job.log:
        pytest.skip("what kubemerge needs cannot be fetched here, so the action cannot install it")
    assert code == 0, job.log
    assert "| 1.25 | breaking |" in api.comments[0]["body"]
