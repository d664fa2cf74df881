"use strict";
(function () {
  const all = Array.from(document.querySelectorAll(".change"));
  const groups = Array.from(document.querySelectorAll(".group"));
  const find = (id) => document.getElementById(id);
  const filters = find("filters");
  const canvas = document.querySelector(".canvas");

  function open(change) {
    for (const group of groups) if (group.contains(change)) group.hidden = false;
    change.hidden = false;
    change.open = true;
    mark(change.id);
  }

  // Nodes and edges next to the chosen one stay, the others fade.
  function mark(id) {
    if (!canvas) return;
    const node = canvas.querySelector('a[href="#' + CSS.escape(id) + '"] .node');
    canvas.classList.toggle("near", Boolean(node));
    for (const x of canvas.querySelectorAll(".on")) x.classList.remove("on");
    if (!node) return;
    node.classList.add("on");
    const number = node.dataset.node;
    for (const edge of canvas.querySelectorAll(".edge")) {
      if (edge.dataset.from !== number && edge.dataset.to !== number) continue;
      edge.classList.add("on");
      for (const end of [edge.dataset.from, edge.dataset.to]) {
        const other = canvas.querySelector('[data-node="' + end + '"]');
        if (other) other.classList.add("on");
      }
    }
  }

  function follow() {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch (e) { return; }
    const change = id && find(id);
    if (change && change.classList.contains("change")) {
      open(change);
      change.scrollIntoView({ block: "center" });
    }
  }
  window.addEventListener("hashchange", follow);
  if (canvas) canvas.addEventListener("click", (e) => {
    const link = e.target.closest("a");
    if (!link) { mark(""); return; }
    const target = link.getAttribute("href").slice(1);
    if (target.startsWith("type-") && find("type")) {
      e.preventDefault();
      find("type").selectedIndex = Number(target.slice(5)) + 1;
      apply();
      filters.scrollIntoView();
    } else if (location.hash === "#" + target) follow();
  });
  if (!filters) { follow(); return; }

  filters.hidden = false;
  const search = find("search"), type = find("type"), namespace = find("namespace");
  const boxes = Array.from(find("actions").querySelectorAll("input"));
  const texts = new Map();
  const text = (x) => {
    if (!texts.has(x)) texts.set(x, x.textContent.toLowerCase());
    return texts.get(x);
  };

  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const actions = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
    let shown = 0;
    for (const x of all) {
      const d = x.dataset;
      const fits = actions.has(d.action) && (!type.value || d.type === type.value) &&
        (!namespace || !namespace.value || d.namespace === namespace.value) && words.every((w) => text(x).includes(w));
      x.hidden = !fits;
      if (fits) shown++;
    }
    for (const g of groups) g.hidden = !g.querySelector(".change:not([hidden])");
    find("shown").textContent = shown + " of " + all.length;
    find("none").hidden = shown > 0;
  }

  let wait = 0;
  search.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(apply, 120); });
  filters.addEventListener("change", apply);
  filters.addEventListener("submit", (e) => { e.preventDefault(); apply(); });
  const each = (value) => { for (const x of all) if (!x.hidden) x.open = value; };
  find("expand").addEventListener("click", () => each(true));
  find("collapse").addEventListener("click", () => each(false));
  find("clear").addEventListener("click", () => { filters.reset(); mark(""); apply(); });
  follow();
})();
