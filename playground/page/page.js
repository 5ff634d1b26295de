// The page: gathers a case, has it answered, and shows the answer.

import { EMPTY, fromFragment, toFragment } from "./case.js";
import { VIEWS, element } from "./views.js";

const by = (id) => document.getElementById(id);
const TEXTS = ["config", "live", "last", "definitions"];
const state = { releases: [], number: 0, others: new Map(), compared: "", ready: false, words: {} };

// ---- the case ----

function gathered() {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, by(name).value]));
  const server = by("server").checked;
  return { ...texts, release: chosen(), server, manager: by("manager").value, force: server && by("force").checked };
}

function show(one) {
  for (const name of TEXTS) by(name).value = one[name];
  document.querySelector(`input[name=how][value=${one.server ? "server" : "client"}]`).checked = true;
  by("manager").value = one.manager;
  by("force").checked = one.force;
  by("before").open = Boolean(one.last);
  by("custom").open = Boolean(one.definitions);
  state.wanted = one.release;
  if (state.ready) placeSlider();
  serverside();
}

const chosen = () => state.releases[Number(by("release").value)] ?? state.wanted ?? "";

function placeSlider() {
  const last = state.releases.length - 1;
  const at = state.releases.indexOf(state.wanted);
  by("release").value = String(at < 0 ? last : at);
  told();
}

function told() {
  by("chosen").value = chosen() || "…";
  by("release").setAttribute("aria-valuetext", chosen());
}

function serverside() {
  by("serverside").hidden = !by("server").checked;
}

// ---- asking ----

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

function ask() {
  if (!state.ready) return;
  const one = gathered();
  const compared = JSON.stringify({ ...one, release: "" });
  const releases = compared !== state.compared;
  if (releases) state.others.clear();
  state.compared = compared;
  state.number += 1;
  delete document.body.dataset.done;
  if (!one.config.trim()) {
    for (const name of Object.keys(VIEWS)) by(name).replaceChildren();
    by("where").textContent = "";
    by("marks").replaceChildren();
    state.compared = "";
    say("Paste the manifest that you apply, or choose an example.");
    document.body.dataset.done = "empty";
    return;
  }
  worker.postMessage({ number: state.number, one, releases: releases || state.others.size < state.releases.length });
}

let waiting;
function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(ask, 150);
}

worker.onerror = () => say("The engine cannot be started here; the console of the browser has more.");
worker.onmessage = ({ data }) => {
  if (data.loading) {
    say(`${data.loading} …`);
    by("loading").value = data.step;
    return;
  }
  if (data.failed) return say(`The engine cannot be started: ${data.failed}`);
  if (data.ready) return begun(data.ready);
  if (data.number !== state.number) return;
  if (data.done) {
    document.body.dataset.done = data.number;
    return;
  }
  if (data.part.startsWith("release:")) return noted(data.part.slice("release:".length), data.answer);
  const view = by(data.part);
  if (data.broken) {
    view.replaceChildren(element("pre", { class: "problem", text: data.broken }));
    return;
  }
  if (data.part === "patch") summed(data.answer);
  view.replaceChildren(...VIEWS[data.part](data.answer));
  counted(data.part, data.answer);
};

function begun(about) {
  state.ready = true;
  by("loading").hidden = true;
  document.documentElement.style.setProperty("--releases", String(about.releases.length));
  state.releases = about.releases;
  by("version").textContent = about.version;
  by("release").max = String(about.releases.length - 1);
  by("release").disabled = false;
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
  placeSlider();
  say("The engine is ready.");
  ask();
}

function say(text) {
  by("status").textContent = text;
}

function notice(text) {
  by("notice").textContent = text;
  by("notice").hidden = !text;
}

function summed(answer) {
  const first = answer.err.trim().split("\n")[0];
  say(answer.code ? "It cannot be applied." : `${first} (${answer.ms} ms).`);
  document.body.dataset.merge = String(answer.ms);
  document.body.dataset.patch = answer.out;
  document.body.dataset.error = answer.code ? answer.err : "";
}

function counted(part, answer) {
  state.words[part] = answer.words;
  if (part === selected()) command();
  if (part !== "lint") return;
  const count = answer.findings.length;
  by("tab-lint").textContent = count ? `Lint (${count})` : "Lint";
  const errors = answer.findings.filter((one) => one.severity === "error").length;
  if (errors) say(`${by("status").textContent} Lint finds ${errors === 1 ? "an error" : `${errors} errors`} in it.`);
}

/** The command that gives the part that is shown. */
function command() {
  const words = state.words[selected()] ?? [];
  by("words").textContent = `kubemerge ${words.join(" ")}`;
  by("words").parentElement.hidden = !words.length;
}

const selected = () => tabs.find((one) => one.getAttribute("aria-selected") === "true").getAttribute("aria-controls");

// ---- the releases ----

function noted(release, answer) {
  if (!answer) return;
  state.others.set(release, answer);
  const here = by("release").value;
  const marks = state.releases.map((name, at) => {
    const found = state.others.get(name);
    const before = state.others.get(state.releases[at - 1]);
    const kind = !found ? "unknown" : found.problem ? "none" : before && before.same !== found.same ? "changes" : "same";
    return element("span", { class: String(at) === here ? `${kind} here` : kind, title: name });
  });
  by("marks").replaceChildren(...marks);
  if (state.others.size === state.releases.length) by("where").textContent = changes();
}

/** The beginning of a message, as far as it says what is wrong. */
const short = (text) => text.trim().split(/[;\n]/)[0].replace(/^kubemerge: /, "");

/** In words, where the result changes. */
function changes() {
  const runs = [];
  for (const name of state.releases) {
    const { same, problem } = state.others.get(name);
    const [last, what] = [runs.at(-1), problem ? short(problem) : ""];
    if (last && last.problem === what && (what || last.same === same)) last.to = name;
    else runs.push({ from: name, to: name, same, problem: what });
  }
  if (runs.length === 1 && runs[0].problem) return `No release gives another answer: ${runs[0].problem}.`;
  if (runs.length === 1) return `The result is the same in all releases, ${runs[0].from} to ${runs[0].to}.`;
  const parts = runs.map((run) => {
    const span = run.from === run.to ? run.from : `${run.from} to ${run.to}`;
    return run.problem ? `${span} (${run.problem})` : span;
  });
  return `The result changes with the release: ${parts.join("; ")}.`;
}

// ---- tabs ----

const tabs = [...document.querySelectorAll("[role=tab]")];
function select(tab, focus) {
  for (const one of tabs) {
    const on = one === tab;
    one.setAttribute("aria-selected", String(on));
    one.tabIndex = on ? 0 : -1;
    by(one.getAttribute("aria-controls")).hidden = !on;
  }
  if (focus) tab.focus();
  command();
}
const MOVES = { ArrowRight: 1, ArrowLeft: -1 };
tabs.forEach((tab, at) => {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const to = { Home: 0, End: tabs.length - 1 }[event.key] ?? (at + (MOVES[event.key] ?? 0) + tabs.length) % tabs.length;
    if (to === at) return;
    event.preventDefault();
    select(tabs[to], true);
  });
});

// ---- examples and links ----

const examples = await fetch("./cases.json").then((answer) => answer.json());
examples.forEach((one, at) => by("example").append(element("option", { value: String(at), text: one.title })));
by("example").addEventListener("change", () => {
  const one = by("example").value === "" ? undefined : examples[Number(by("example").value)];
  by("about").textContent = one?.about ?? "";
  show({ ...EMPTY, ...one?.case });
  ask();
});

by("share").addEventListener("click", async () => {
  const fragment = await toFragment(gathered());
  history.replaceState(null, "", fragment);
  const link = location.href;
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  say(copied ? "The link is copied; it carries the whole case." : "The link is in the address bar; it carries the whole case.");
});

for (const name of TEXTS) {
  by(name).addEventListener("input", () => {
    by("example").value = "";
    by("about").textContent = "";
    changed();
  });
}
by("case").addEventListener("submit", (event) => event.preventDefault());
for (const one of document.querySelectorAll("input[name=how], #force")) {
  one.addEventListener("change", () => {
    serverside();
    ask();
  });
}
by("manager").addEventListener("input", changed);
by("release").addEventListener("input", () => {
  told();
  changed();
});

async function open() {
  notice("");
  try {
    const one = await fromFragment(location.hash);
    if (one) {
      by("example").value = by("about").textContent = "";
      return show(one);
    }
  } catch (error) {
    notice(error.message);
  }
  by("example").value = "0";
  by("about").textContent = examples[0].about;
  show({ ...EMPTY, ...examples[0].case });
}
window.addEventListener("hashchange", () => open().then(ask));
await open();
ask();
