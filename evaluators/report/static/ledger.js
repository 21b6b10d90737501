// Filters and sorting of the ledger. Without this file the table is complete and in order.
"use strict";
(function () {
  const table = document.getElementById("ledger");
  const rows = Array.from(table.tBodies[0].rows);
  const controls = document.getElementById("controls");

  function field(label, element) {
    const box = document.createElement("label");
    box.append(label, element);
    controls.append(box);
    element.addEventListener("input", show);
    return element;
  }

  function choice(label, key) {
    const list = document.createElement("select");
    list.append(new Option("all", ""));
    for (const value of new Set(rows.map((row) => row.dataset[key]))) {
      list.append(new Option(value, value));
    }
    return field(label, list);
  }

  const text = document.createElement("input");
  text.type = "search";
  field("Words", text);
  const lists = { paper: choice("Paper", "paper"), status: choice("Status", "status"), verdict: choice("Verdict", "verdict") };
  const shown = document.createElement("output");
  controls.append(shown);

  function show() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const content = row.textContent.toLowerCase();
      const fits = words.every((word) => content.includes(word)) &&
        Object.entries(lists).every(([key, list]) => !list.value || row.dataset[key] === list.value);
      row.hidden = !fits;
      count += fits ? 1 : 0;
    }
    shown.textContent = count + " of " + rows.length;
  }

  Array.from(table.tHead.rows[0].cells).forEach((cell, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = cell.getAttribute("aria-sort") !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      const order = new Intl.Collator("en", { numeric: true }).compare;
      const content = (row) => row.cells[index].textContent.trim();
      const sorted = rows.slice().sort((a, b) => (up ? 1 : -1) * order(content(a), content(b)));
      table.tBodies[0].append(...sorted);
    });
  });

  const wanted = new URLSearchParams(location.search);
  for (const [key, list] of Object.entries(lists)) {
    if (wanted.has(key)) list.value = wanted.get(key);
  }
  show();
})();
