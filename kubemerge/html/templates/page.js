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
  window.addEventListener("beforeprint", () => { if (!one("#upgrade, #fleet")) unfold(document); });
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

  // What is behind a cell: a panel at the side.
  const panel = one("#panel");
  function unfoldPanel(title, parts) {
    const body = one("#panel-body");
    one("#panel-title").replaceChildren(...title);
    body.replaceChildren(...parts);
    panel.showModal();
    body.focus({ preventScroll: true });
    panel.scrollTop = 0;
  }
  if (panel) {
    one("#close").addEventListener("click", () => panel.close());
    panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });
  }

  // A matrix is one stop of the Tab key; inside, arrows move, and Enter acts. What it gives finds that stop again when rows are hidden.
  function matrix(grid, rows, act) {
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
    const moves = {
      ArrowLeft: (cell) => cell.previousElementSibling, ArrowRight: (cell) => cell.nextElementSibling,
      ArrowUp: (cell) => beside(cell, -1), ArrowDown: (cell) => beside(cell, 1),
      Home: (cell) => cell.parentNode.firstElementChild, End: (cell) => cell.parentNode.lastElementChild,
    };
    function beside(cell, by) {
      const seen = [grid.rows[0], ...rows().filter((row) => !row.hidden)];
      return seen[seen.indexOf(cell.parentNode) + by]?.cells[cell.cellIndex];
    }
    grid.addEventListener("keydown", (event) => {
      const cell = event.target.closest("tr[data-k] > *, thead th");
      if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(cell); }
      if (!moves[event.key]) return;
      event.preventDefault();
      let next = moves[event.key](cell);
      while (next?.hidden) next = moves[event.key](next);
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
    return () => {
      if (!current || current.closest("[hidden]")) go(rows().filter((row) => !row.hidden).flatMap((row) => all("td", row)).find((cell) => one("a:not([hidden])", cell)));
    };
  }

  if (one("#fleet")) { if (box) fleet(one("#grid")); }
  else if (one("#grid")) comparison(one("#grid"));
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
      settle();
    };

    // The panel: the changes of a cell, or the time line of a kind with all its changes.
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
      if (hidden) counted.append(`, ${hidden} more hidden by the filter`);
      return [counted, copy];
    }
    function open(kind, at) {
      const kept = at === undefined ? steps.map((_, number) => number).filter((number) => total(found[kind][number])) : [at];
      const [version, name] = lines[kind].name.split(/ (.*)/s);
      const line = [one("svg", lines[kind].line).cloneNode(true), one("#lines .hint").cloneNode(true)];
      unfoldPanel([name, " ", make("small", at === undefined ? version : `${version} · ${steps[at].title}`)], [...(at === undefined ? line : []),
        ...kept.flatMap((number) => [...(at === undefined ? [make("h3", steps[number].title)] : []), ...section(number, kind)])]);
    }
    const settle = matrix(grid, () => lines.map((line) => line.row), (cell) => {
      if (cell.closest("thead")) { one("a", cell)?.click(); return; }
      const kind = Number(cell.parentNode.dataset.k), at = cell.cellIndex - 1;
      if (at < 0) open(kind);
      else if (total(found[kind][at])) open(kind, at);
    });
    whenAsked(refresh);
    refresh();
    grid.parentElement.scrollLeft = grid.offsetWidth; // the newest releases, on the right, are what most people look for
  }

  // A fleet: how often each of what was found stands in each cell, so that the filter counts exactly.
  function fleet(grid) {
    const { source, steps, rows: everything } = one("#fleet").dataset, bounds = steps.split(" ").map(Number);
    const signs_ = Object.fromEntries(all(".bar .pill").map((pill) => [one("input", pill).value, one("b", pill).textContent]));
    const styles = Object.fromEntries(all(".bar .pill").map((pill) => [one("input", pill).value, pill.classList[1]]));
    const order = Object.keys(signs_);
    const whats = all("#whats tbody tr").map((row) => ({ row, severity: row.dataset.s, text: lower(row.cells[0].textContent), number: row.cells[2], was: row.cells[2].textContent }));
    const fields = all("#fields tbody tr").map((row) => ({ row, severity: row.dataset.s, text: lower(row.textContent) }));
    const kinds = all("thead .kind", grid).map((cell) => ({ cell, text: lower(cell.textContent) }));
    const lines = all("tr[data-k]", grid).map((row) => ({
      row, text: lower(one("b", row).textContent), total: row.cells[1],
      cells: all("td", row).slice(1).map((cell) => ({ cell, found: [],
        counts: cell.dataset.c ? cell.dataset.c.split(" ").map((pair) => pair.split(":").map(Number)) : [] })),
    }));
    const samples = all("table.rows").map((table) => ({ table, part: table.closest("details"),
      rows: all("tbody tr", table).map((row) => ({ row, severity: row.dataset.s, at: row.dataset.at.split(" ").map(Number), text: lower(row.textContent) })) }));
    const sum = (counts) => counts.reduce((all_, [, count]) => all_ + count, 0);
    const worst = (counts) => order.find((severity) => counts.some(([what]) => whats[what].severity === severity));

    // A word may be found in the cluster, the kind or what was found.
    function count({ words, ticked }) {
      const bits = (text) => words.reduce((found, word, at) => found | (text.includes(word) ? 1 << at : 0), 0);
      const full = words.reduce((found, _, at) => found | 1 << at, 0);
      const ofKind = kinds.map(({ text }) => bits(text)), ofWhat = whats.map(({ text }) => bits(text));
      const sums = whats.map(() => 0);
      lines.forEach(({ text, cells }) => {
        const own = bits(text);
        cells.forEach((cell, kind) => {
          cell.found = cell.counts.filter(([what]) => ticked.has(whats[what].severity) && (own | ofKind[kind] | ofWhat[what]) === full);
          cell.found.forEach(([what, number]) => { sums[what] += number; });
        });
      });
      whats.forEach((what, at) => { what.row.hidden = !sums[at]; what.number.textContent = sums[at]; });
      return sums.reduce((a, b) => a + b, 0);
    }
    function fill(cell, counts, level) {
      const link = one("a", cell), bad = worst(counts);
      if (!link) return;
      link.hidden = !bad;
      const number = sum(counts.filter(([what]) => whats[what].severity === bad));
      cell.className = bad ? `${styles[bad]}${level(number)}` : "";
      link.firstChild.textContent = signs_[bad];
      link.lastChild.data = number;
    }
    function draw(whole) {
      kinds.forEach(({ cell }, at) => {
        cell.hidden = !whole && lines.every(({ cells }) => !cells[at].found.length);
        lines.forEach(({ cells }) => { cells[at].cell.hidden = cell.hidden; });
      });
      one("#whats").classList.toggle("filtered", !whole);
      lines.forEach(({ row, total, cells }) => {
        const found = cells.flatMap((cell) => cell.found);
        row.hidden = !found.length && !whole;
        fill(total, found, () => "");
        cells.forEach(({ cell, found: own }) => fill(cell, own, (number) => 1 + bounds.filter((bound) => number > bound).length));
      });
    }
    function filter({ words, ticked }) {
      let shown = 0;
      fields.forEach(({ row, severity, text }) => { row.hidden = !ticked.has(severity) || !fits(text, words); });
      samples.forEach(({ part, rows }) => {
        let here = 0;
        rows.forEach(({ row, severity, text }) => {
          row.hidden = !ticked.has(severity) || !fits(text, words);
          here += !row.hidden;
        });
        part.hidden = rows.length > 0 && !here;
        shown += here;
      });
      return shown;
    }
    let drawn = false;
    const refresh = () => {
      const now = asked(), whole = !now.words.length && now.ticked.size === order.length;
      const number = count(now), shown = filter(now), there = samples.reduce((all_, { rows }) => all_ + rows.length, 0);
      if (!whole || drawn) draw(whole); // as it comes, the page shows everything
      drawn = true;
      one("#found").textContent = whole ? plural(number, "row") : `${number} of ${plural(Number(everything), "row")}, ${shown} of the ${there} on this page`;
      settle();
    };

    // The panel: what was found in a cell, a cluster or a kind, the query for all of it, and the rows that are on the page.
    function open(line, kind) {
      const chosen = lines.filter((_, at) => line === undefined || at === line).flatMap(({ cells }) => cells.filter((_, at) => kind === undefined || at === kind));
      const counts = new Map();
      chosen.flatMap(({ found }) => found).forEach(([what, number]) => counts.set(what, (counts.get(what) ?? 0) + number));
      if (!counts.size) return;
      const heads = [line === undefined ? null : lines[line].row, kind === undefined ? null : kinds[kind].cell].filter(Boolean);
      const names = heads.map((head) => (one("b, span", head) ?? head).textContent);
      const list = make("table", "", "most");
      const body = list.createTBody();
      [...counts].sort(([a], [b]) => a - b).forEach(([what, number]) => {
        const row = whats[what].row.cloneNode(true);
        row.removeAttribute("id");
        row.hidden = false;
        row.cells[2].textContent = number;
        [5, 4, 3].forEach((at) => row.deleteCell(at));
        one("a", row)?.replaceWith(...one("a", row).childNodes);
        body.append(row);
      });
      const where = heads.map((head) => head.dataset.where);
      const query = make("pre", "", "query");
      query.append(make("code", `SELECT * FROM ${source} WHERE ${where.join(" AND ")};`));
      const tables = samples.flatMap(({ table, rows }) => {
        const own = rows.filter(({ row, at }) => !row.hidden && (line === undefined || at[0] === line) && (kind === undefined || at[1] === kind));
        if (!own.length) return [];
        const copy = make("table", "", "rows");
        copy.append(one("thead", table).cloneNode(true));
        copy.createTBody().append(...own.map(({ row }) => row.cloneNode(true)));
        return [make("h3", table.parentNode.getAttribute("aria-label")), copy];
      });
      const here = tables.length ? "Rows of these on this page:" : "None of these rows is on this page.";
      unfoldPanel([names.join(" · ")], [list, ...(where.every(Boolean) ? [make("p", "All of these rows, in DuckDB:", "hint"), query] : []), make("p", here, "hint"), ...tables]);
    }
    const settle = matrix(grid, () => lines.map(({ row }) => row), (cell) => {
      const kind = cell.cellIndex - 2, line = cell.closest("thead") ? undefined : Number(cell.parentNode.dataset.k);
      if (line === undefined && kind < 0) return;
      open(line, kind < 0 ? undefined : kind);
    });
    kinds.forEach(({ cell }, at) => cell.addEventListener("click", () => open(undefined, at)));
    grid.addEventListener("focusin", ({ target }) => { // said when it is read, since there are thousands
      const { cells, row } = lines[target.parentNode.dataset.k] ?? {}, kind = target.cellIndex - 2;
      if (!cells || target.tagName !== "TD") return;
      const found = kind < 0 ? cells.flatMap((cell) => cell.found) : cells[kind].found;
      const said = order.map((severity) => [sum(found.filter(([what]) => whats[what].severity === severity)), severity]).filter(([number]) => number);
      const empty = { none: "none in the dump", unknown: "no findings, but incomplete data" };
      const names = [one("b", row).textContent, kind < 0 ? "all kinds" : kinds[kind].cell.textContent].join(", ");
      target.setAttribute("aria-label", `${names}: ${said.map((pair) => pair.join(" ")).join(", ") || empty[target.className] || "nothing"}`);
    });
    whenAsked(refresh);
    refresh();
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
