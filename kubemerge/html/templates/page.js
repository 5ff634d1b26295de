"use strict";
// What is shown is already in the page: this only hides, counts and copies it, and never makes markup out of text.
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const signs = { breaking: "!", notable: "~", info: "+" };
  const severities = { b: "breaking", n: "notable", i: "info" };
  const make = (name, text = "", style = "") => Object.assign(document.createElement(name), { textContent: text, className: style });
  const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const lower = (text) => text.toLowerCase();
  document.documentElement.classList.add("js");

  // The words of the filter box and the boxes that are ticked.
  const box = one("#filter");
  const asked = () => ({
    words: box ? lower(box.value).split(/\s+/).filter(Boolean) : [],
    ticked: new Set(all(".pills input:checked").map((input) => input.value)),
  });
  const fits = (text, words) => words.every((word) => text.includes(word));
  function whenAsked(work) {
    let waiting = 0;
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(work, 80); };
    box.addEventListener("input", soon);
    all(".pills input").forEach((input) => input.addEventListener("change", soon));
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) { event.preventDefault(); box.focus(); }
    });
  }

  // Folded parts: unfolded by a button, by a link into them, and for the printer.
  const unfold = (root) => all("details:not([open])", root).forEach((part) => { part.open = true; part.dataset.was = "shut"; });
  window.addEventListener("beforeprint", () => { if (!one("#upgrade")) unfold(document); });
  window.addEventListener("afterprint", () => all("details[data-was]").forEach((part) => { part.open = false; delete part.dataset.was; }));
  all("button.fold").forEach((button) => button.addEventListener("click", () => {
    const parts = all(`#${button.dataset.for} > details`);
    const open = parts.some((part) => !part.open);
    parts.forEach((part) => { part.open = open; });
    button.textContent = open ? "Fold all" : "Unfold all";
  }));
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const part = target && target.closest("details");
    if (part && !part.open) { part.open = true; target.scrollIntoView(); }
  };
  window.addEventListener("hashchange", reveal);
  reveal();

  if (one("#grid")) comparison(one("#grid"));
  else if (one("#upgrade")) upgrade();
  else if (box) reasons();

  function comparison(grid) {
    const lines = all("tr[data-k]", grid).map((row) => ({
      row, name: row.dataset.kind, text: lower(row.dataset.kind), line: document.getElementById(`k${row.dataset.k}`),
      cells: all("td", row).map((cell) => ({ cell, link: one("a", cell), label: one("a", cell)?.lastChild.data, style: cell.className })),
    }));
    const steps = all("details.step").map((part) => ({
      part, title: one("h3", part).textContent, tallies: all(".tally", part),
      bundles: all("tbody", part).map((body) => ({
        body, kinds: body.dataset.kinds.trim().split(" ").map(Number),
        rows: all("tr:not(.of)", body).map((row) => ({
          row, severity: severities[row.className], text: lower(`${row.cells[0].textContent} ${row.cells[1].firstChild.textContent}`),
        })),
      })),
    }));
    const tally = () => ({ breaking: 0, notable: 0, info: 0 });
    const total = (counts) => counts.breaking + counts.notable + counts.info;
    const said = (counts) => Object.keys(signs).filter((name) => counts[name]).map((name) => `${counts[name]} ${name}`).join(", ");
    const everything = total(Object.fromEntries(Object.keys(signs).map((name) => [name, Number(one("#totals").dataset[name])])));
    let found = [];

    // How often each row fits for each kind of its bundle: a word may be found in the kind or in the change.
    function count({ words, ticked }) {
      found = lines.map(() => steps.map(tally));
      const having = lines.map((line) => words.filter((word) => !line.text.includes(word)));
      steps.forEach((step, at) => {
        const sums = tally();
        step.bundles.forEach((bundle) => {
          let shown = 0;
          bundle.rows.forEach(({ row, severity, text }) => {
            let hits = 0;
            if (ticked.has(severity)) bundle.kinds.forEach((kind) => {
              if (!fits(text, having[kind])) return;
              found[kind][at][severity] += 1;
              hits += 1;
            });
            sums[severity] += hits;
            row.hidden = !hits;
            shown += hits;
          });
          bundle.body.hidden = !shown;
        });
        step.tallies.forEach((one_) => { one_.children[1].textContent = sums[one_.dataset.s]; one_.hidden = !sums[one_.dataset.s]; });
        step.part.hidden = step.bundles.length > 0 && !total(sums);
      });
    }

    function draw(whole) {
      let sum = 0;
      lines.forEach((line, kind) => {
        const each = found[kind].map(total);
        const of = each.reduce((a, b) => a + b, 0);
        sum += of;
        line.row.hidden = line.line.hidden = !of;
        line.cells.forEach((cell, at) => { if (cell.link) fill(cell, found[kind][at], each[at], whole); });
        line.cells.forEach(({ cell }, at) => cell.setAttribute("aria-label",
          `${line.name}, ${steps[at].title}: ${said(found[kind][at]) || (cell.classList.contains("x") ? "not served" : "no change")}`));
      });
      all("tbody", grid).forEach((body) => { body.hidden = !all("tr[data-k]:not([hidden])", body).length; });
      all("details.lines").forEach((part) => { 
        const shown = all("article:not([hidden])", part).length;
        part.hidden = !shown;
        one(".quiet", part).textContent = plural(shown, "kind");
      });
      all("tfoot td", grid).forEach((cell, at) => { cell.textContent = found.reduce((a, row) => a + total(row[at]), 0); });
      one("#found").textContent = whole ? plural(sum, "change") : `${sum} of ${plural(everything, "change")}`;
    }
    function fill({ cell, link, label, style }, counts, number, whole) {
      const worst = Object.keys(signs).find((name) => counts[name]);
      link.hidden = !number;
      cell.className = whole ? style : number ? `${worst[0]}${1 + (number > 3) + (number > 20)}` : "";
      if (!number) return;
      link.firstChild.textContent = signs[worst];
      link.lastChild.data = /\d/.test(label) ? number : label;
    }
    const refresh = () => {
      const now = asked();
      count(now);
      draw(!now.words.length && now.ticked.size === 3);
      if (!current || current.closest("[hidden]")) go(lines.filter(({ row }) => !row.hidden).flatMap(({ cells }) => cells).find(({ link }) => link && !link.hidden)?.cell);
    };

    // The panel: the changes of a cell, or the time line of a kind with all its changes.
    const panel = one("#panel"), body = one("#panel-body"), title = one("#panel-title");
    const table = (step, kind) => {
      const copy = make("table", "", "changes");
      copy.append(one("thead", step.part).cloneNode(true));
      const worst = Object.keys(signs);
      const rows = step.bundles.filter((bundle) => bundle.kinds.includes(kind)).flatMap((bundle) => bundle.rows)
        .sort((a, b) => worst.indexOf(a.severity) - worst.indexOf(b.severity));
      const part = copy.createTBody();
      rows.filter(({ row }) => !row.hidden).forEach(({ row }) => part.append(row.cloneNode(true)));
      return [copy, rows.filter(({ row }) => row.hidden).length];
    };
    function section(at, kind) {
      const [copy, hidden] = table(steps[at], kind);
      const counted = make("p", said(found[kind][at]), "hint");
      if (hidden) counted.append(`; ${hidden} more hidden by the filter`);
      return [counted, copy];
    }
    function open(kind, at) {
      const kept = at === undefined ? steps.map((_, number) => number).filter((number) => total(found[kind][number])) : [at];
      const [version, name] = lines[kind].name.split(/ (.*)/s);
      title.replaceChildren(name, " ", make("small", at === undefined ? version : `${version} · ${steps[at].title}`));
      const line = [one("svg", lines[kind].line).cloneNode(true), one("#lines .hint").cloneNode(true)];
      body.replaceChildren(...(at === undefined ? line : []),
        ...kept.flatMap((number) => [...(at === undefined ? [make("h3", steps[number].title)] : []), ...section(number, kind)]));
      panel.showModal();
      body.focus({ preventScroll: true });
      panel.scrollTop = 0;
    }
    one("#close").addEventListener("click", () => panel.close());
    panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });

    // The matrix is one stop of the Tab key; inside, arrows move.
    grid.setAttribute("role", "grid");
    const roles = { TD: "gridcell", TH: "rowheader" };
    all("thead th", grid).forEach((cell) => { cell.tabIndex = -1; });
    all("tr[data-k] > *", grid).forEach((cell) => { cell.tabIndex = -1; cell.setAttribute("role", roles[cell.tagName]); });
    all("a", grid).forEach((link) => { link.tabIndex = -1; });
    let current = null;
    const go = (cell) => {
      if (!cell) return;
      if (current) current.tabIndex = -1;
      current = cell;
      cell.tabIndex = 0;
    };
    const act = (cell) => {
      if (cell.closest("thead")) { one("a", cell)?.click(); return; }
      const kind = Number(cell.parentNode.dataset.k), at = cell.cellIndex - 1;
      if (at < 0) open(kind);
      else if (total(found[kind][at])) open(kind, at);
    };
    const moves = {
      ArrowLeft: (cell) => cell.previousElementSibling, ArrowRight: (cell) => cell.nextElementSibling,
      ArrowUp: (cell) => beside(cell, -1), ArrowDown: (cell) => beside(cell, 1),
      Home: (cell) => cell.parentNode.firstElementChild, End: (cell) => cell.parentNode.lastElementChild,
    };
    function beside(cell, by) {
      const rows = [grid.rows[0], ...lines.map((line) => line.row).filter((row) => !row.hidden)];
      return rows[rows.indexOf(cell.parentNode) + by]?.cells[cell.cellIndex];
    }
    grid.addEventListener("keydown", (event) => {
      const cell = event.target.closest("tr[data-k] > *, thead th");
      if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(cell); }
      if (!moves[event.key]) return;
      event.preventDefault();
      const next = moves[event.key](cell);
      if (next) { go(next); next.focus(); next.scrollIntoView({ block: "nearest", inline: "nearest" }); }
    });
    grid.addEventListener("click", (event) => {
      const cell = event.target.closest("tr[data-k] > *");
      if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(cell);
      cell.focus();
      act(cell);
    });
    whenAsked(refresh);
    refresh();
    grid.parentElement.scrollLeft = grid.offsetWidth; // the newest releases, on the right, are what most people look for
  }

  // What an upgrade does: filtered by words, which may be names of objects, and by severity.
  function upgrade() {
    const rows = all("#upgrade tbody tr").map((row) => ({ row, severity: row.dataset.severity, text: lower(row.textContent) }));
    const objects = all("[data-object]").map((part) => ({ part, text: lower(part.textContent) }));
    const refresh = () => {
      const { words, ticked } = asked();
      let shown = 0;
      rows.forEach(({ row, severity, text }) => {
        row.hidden = !ticked.has(severity) || !fits(text, words);
        shown += !row.hidden;
      });
      objects.forEach(({ part, text }) => { part.hidden = !fits(text, words); });
      one("#found").textContent = shown === rows.length ? plural(shown, "change") : `${shown} of ${plural(rows.length, "change")}`;
    };
    whenAsked(refresh);
    refresh();
  }

  // The reasons of merged objects: filtered by words and by what was done.
  function reasons() {
    const objects = all("[data-object]").map((part) => ({
      part, text: lower(part.dataset.object),
      rows: all("tr[data-action]", part).map((row) => ({ row, action: row.dataset.action, text: lower(row.textContent) })),
    }));
    const refresh = () => {
      const { words, ticked } = asked();
      let sum = 0;
      objects.forEach(({ part, text, rows }) => {
        const left = words.filter((word) => !text.includes(word));
        let shown = 0;
        rows.forEach(({ row, action, text: own }) => {
          row.hidden = !ticked.has(action) || !fits(own, left);
          shown += !row.hidden;
        });
        part.hidden = words.length > 0 && !shown && left.length > 0;
        sum += shown;
      });
      one("#found").textContent = plural(sum, "field");
    };
    whenAsked(refresh);
    refresh();
  }
})();
