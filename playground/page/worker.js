// The engine, beside the page: Python with kubemerge, which answers one case after the other.

import { loadPyodide } from "./pyodide/pyodide.mjs";

let bridge;
let newest = 0;

/** Let messages in that have come meanwhile. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

async function begin() {
  const loading = (step, words) => postMessage({ loading: words, step });
  const archive = fetch("./engine.zip").then((answer) => answer.arrayBuffer());
  loading(0, "Loading Python (1 of 3)");
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  loading(1, "Loading the engine (2 of 3)");
  python.unpackArchive(new Uint8Array(await archive), "zip", { extractDir: "/engine" });
  python.runPython("import sys; sys.path.insert(0, '/engine')");
  loading(2, "Starting the engine (3 of 3)");
  bridge = python.pyimport("playground.bridge");
  return JSON.parse(bridge.begin());
}

const ready = begin();
ready.then(
  (about) => postMessage({ ready: about }),
  (error) => postMessage({ failed: String(error) }),
);

onmessage = async ({ data }) => {
  newest = data.number;
  const about = await ready;
  const text = JSON.stringify(data.one);
  const others = data.releases ? about.releases.toReversed().map((release) => `release:${release}`) : [];
  for (const part of [...about.parts, ...others]) {
    await pause();
    if (data.number !== newest) return; // the case has changed
    try {
      postMessage({ number: data.number, part, answer: JSON.parse(bridge.answer(part, text)) });
    } catch (error) {
      postMessage({ number: data.number, part, broken: String(error) });
    }
  }
  postMessage({ number: data.number, done: true });
};
