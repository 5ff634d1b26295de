// A case: what stands in the page, and how it travels in the fragment of a link.

export const EMPTY = { config: "", live: "", last: "", definitions: "", release: "", server: false, manager: "kubectl", force: false };

// A link is somebody else's text: what it unpacks to is bounded.
const MOST = 1 << 20;

/** The fragment for a case: its JSON, deflated, in the letters that links may have. */
export async function toFragment(one) {
  const told = Object.fromEntries(Object.entries(one).filter(([name, value]) => value !== EMPTY[name]));
  const packed = new Blob([JSON.stringify(told)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return "#c=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The case of a fragment; null if it holds none. Throws a sentence if it is damaged. */
export async function fromFragment(fragment) {
  if (!fragment.startsWith("#c=")) return null;
  try {
    const text = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const told = JSON.parse(await bounded(stream));
    const known = Object.keys(EMPTY).filter((name) => typeof told[name] === typeof EMPTY[name]);
    return { ...EMPTY, ...Object.fromEntries(known.map((name) => [name, told[name]])) };
  } catch {
    throw new Error("The link is damaged, so its case cannot be shown; ask for it again.");
  }
}

async function bounded(stream) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(parts).text();
    size += value.length;
    if (size > MOST) {
      await reader.cancel();
      throw new Error("too large");
    }
    parts.push(value);
  }
}
