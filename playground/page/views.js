// The parts of an answer as elements. Texts of a case only ever become text, never markup.

export function element(name, { text, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

const SIGNS = { added: "+", changed: "~", cleared: "−", reordered: "↕", matched: "≈", kept: "·", unchanged: "=" };

const lines = (text) => text.replace(/\n$/, "").split("\n");

/** What a command said of what went wrong, or what it warned of. */
function problems(answer) {
  if (answer.code > 1 && answer.err) return [element("pre", { class: "problem", role: "alert", text: answer.err.trim() })];
  return answer.warnings.map((text) => element("p", { class: "warned", text: `Warning: ${text}` }));
}

/** A line; one as long as an annotation of kubectl scrolls in its place. */
function code(text) {
  return element("td", { class: "code" }, element("div", text.length > LONG ? { class: "long", text } : { text: text || " " }));
}

const LONG = 200;

/** Rows with a line of text and what is said beside it. */
function beside(caption, heads, rows) {
  const body = element("tbody");
  for (const [text, said, action] of rows) {
    const note = element("td", { class: "note" });
    if (said) note.append(element("span", { class: "sign", "aria-hidden": "true", text: SIGNS[action] ?? "" }), said);
    body.append(element("tr", action ? { class: action } : {}, code(text), note));
  }
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col", text })));
  return element("table", { class: "beside" }, element("caption", { class: "unseen", text: caption }), element("thead", {}, head), body);
}

/** The rows with managedFields in one: they are many lines, and another part shows what they say. */
function withoutManagers(rows) {
  const from = rows.findIndex(([text]) => text === "  managedFields:");
  if (from < 0) return rows;
  const length = rows.slice(from + 1).findIndex(([text]) => !text.startsWith("  -") && !text.startsWith("   "));
  const to = length < 0 ? rows.length : from + 1 + length;
  return [...rows.slice(0, from), ["  managedFields: …", "shown in Owners", ""], ...rows.slice(to)];
}

function result(answer) {
  if (!answer.out) return problems(answer);
  const rows = withoutManagers(
    lines(answer.out).map((text, at) => {
      const row = answer.rows[answer.beside[at + 1]];
      return row ? [text, row.reason, row.action] : [text, "", ""];
    }),
  );
  const gone = answer.rows.filter((row) => row.action === "cleared");
  const cleared = gone.map((row) => element("li", {}, element("code", { text: row.path }), ` ${row.reason}`));
  return [
    ...problems(answer),
    ...(gone.length ? [element("p", { class: "label", text: "Gone from live" }), element("ul", { class: "gone" }, ...cleared)] : []),
    beside("The object after the apply, with the reason of each field", ["After the apply", "Why"], rows),
  ];
}

function patch(answer) {
  if (!answer.out) return problems(answer);
  const shown = lines(answer.out).map((text) => element("pre", { text: JSON.stringify(JSON.parse(text), null, 2) }));
  const sent = element("details", {}, element("summary", { text: "As it is sent" }), element("pre", { class: "sent", text: answer.out }));
  return [...problems(answer), ...shown, sent];
}

function lint(answer) {
  if (answer.code > 1 && !answer.findings.length) return problems(answer);
  if (!answer.findings.length) return [element("p", { class: "good", text: "Nothing found." })];
  const items = answer.findings.map((one) =>
    element(
      "li",
      { class: one.severity },
      element("p", {}, element("strong", { text: `${one.severity}: ${one.message}` })),
      element("p", { text: one.advice ?? "" }),
      element("p", { class: "hint" }, element("code", { text: `${one.code} ${one.name}` }), ` at line ${one.line}, `, element("code", { text: one.path || "." })),
    ),
  );
  return [...problems(answer), element("ul", { class: "findings" }, ...items)];
}

function owners(answer) {
  if (answer.out) {
    const rows = lines(answer.out).map((text) => {
      const at = text.lastIndexOf("  # ");
      return at > 0 ? [text.slice(0, at).trimEnd(), text.slice(at + 4), "owned"] : [text, "", ""];
    });
    return [...problems(answer), beside("The object with the owners of each field", ["Object", "Owners"], rows)];
  }
  if (answer.err) return problems(answer);
  return [element("p", { class: "hint", text: "There is no object whose owners could be shown: give a live one with its managedFields, or apply server-side." })];
}

export const VIEWS = { result, patch, lint, owners };
