"use strict";
// The table of the index: it can be searched, filtered and sorted. Without this script it stands there whole.
(() => {
  const form = document.getElementById("filters");
  if (!form) return;
  const table = document.querySelector("table.index");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const shown = document.getElementById("shown");
  const sizes = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.n || "");
  const text = rows.map((row) => row.dataset.words + " " + row.textContent.toLowerCase());

  // A row is shown if one of its verdicts, for the chosen number of labels, is as wanted.
  const fits = (row, wanted) => [...row.cells].some((cell, i) => sizes[i]
    && (!wanted.n || sizes[i] === wanted.n)
    && cell.dataset.d && (!wanted.dim || Number(cell.dataset.d) <= Number(wanted.dim))
    && (!wanted.verdict || cell.textContent === wanted.verdict));

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      const seen = words.every((word) => text[i].includes(word))
        && (!wanted.loss || row.dataset.loss === wanted.loss)
        && (!wanted.kind || row.dataset.kind === wanted.kind)
        && (!wanted.pred || (wanted.pred === "some") === (row.dataset.pred === ""))
        && fits(row, wanted);
      row.hidden = !seen;
      count += seen;
    });
    shown.textContent = `${count} of ${rows.length} rows`;
  };

  const value = (row, i) => {
    const cell = row.cells[i];
    return sizes[i] ? (cell.textContent || "~") : cell.textContent.toLowerCase();
  };
  let last = -1;
  const sort = (i) => {
    const down = last === i;
    last = down ? -1 : i;
    const order = rows.map((row, j) => [value(row, i), j]);
    const numbers = order.every(([key]) => key === "" || !Number.isNaN(Number(key)));
    order.sort(([a, j], [b, k]) => (numbers ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1)
      || j - k);
    body.append(...order.map(([, j]) => rows[j]));
    [...table.tHead.rows[0].cells].forEach((cell, j) => {
      if (j === i) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
  };

  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    button.addEventListener("click", () => sort(i));
    cell.append(button);
  });
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
})();
