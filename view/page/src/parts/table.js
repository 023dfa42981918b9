// A table whose rows are made only where they are visible. Rows stand at fixed places and only
// change their text, so that nothing moves while data streams.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";

const ROW = 32;

// `columns`: [{key, title, width, value(row), show(row), number}]; `rows` are sorted here.
export function Table({ label, columns, rows, keyOf, onOpen, initial, height, selected }) {
  const [sort, setSort] = useState(initial ?? { key: columns[0].key, down: false });
  const [top, setTop] = useState(0);
  const [box, setBox] = useState(400);
  const [at, setAt] = useState(0);
  const scroller = useRef();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setBox(scroller.current?.clientHeight ?? 400));
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  const sorted = sortRows(rows, columns, sort);
  const template = columns.map((column) => column.width ?? "minmax(80px, 1fr)").join(" ");
  const least = columns.reduce((sum, column) => sum + (column.least ?? 90), 0);
  const first = Math.max(0, Math.floor(top / ROW) - 5);
  const shown = sorted.slice(first, first + Math.ceil(box / ROW) + 10);
  const current = Math.min(at, sorted.length - 1);
  useEffect(() => {
    const element = scroller.current;
    const y = current * ROW;
    if (document.activeElement !== element) return;
    if (y < element.scrollTop) element.scrollTop = y;
    if (y + 2 * ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = y + 2 * ROW - element.clientHeight;
    }
  }, [current]);
  const keys = (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (move) setAt(Math.max(0, Math.min(sorted.length - 1, current + move)));
    else if (event.key === "Home") setAt(0);
    else if (event.key === "End") setAt(sorted.length - 1);
    else if (event.key === "Enter" && onOpen && sorted[current]) onOpen(sorted[current]);
    else return;
    event.preventDefault();
  };
  return html`<div class="table" style=${{ height }}>
    <div class="table-scroll" ref=${scroller} tabindex="0" role="table" aria-label=${label}
      aria-rowcount=${sorted.length + 1} onScroll=${(event) => setTop(event.target.scrollTop)}
      onKeyDown=${keys}>
      <div class="table-head" role="row" style=${{ gridTemplateColumns: template, minWidth: `${least}px` }}>
        ${columns.map((column) => html`<div role="columnheader" class=${column.number ? "number" : ""}
          aria-sort=${sort.key !== column.key ? "none" : sort.down ? "descending" : "ascending"}>
          <button onClick=${() => setSort({ key: column.key, down: sort.key === column.key ? !sort.down : !!column.number })}>
            ${column.title}<span aria-hidden="true">${sort.key !== column.key ? "" : sort.down ? " ↓" : " ↑"}</span></button>
        </div>`)}
      </div>
      <div class="table-body" role="rowgroup" style=${{ height: `${sorted.length * ROW}px`, minWidth: `${least}px` }}>
        ${shown.map((row, index) => html`<div key=${(first + index) % 200} role="row"
          aria-rowindex=${first + index + 2}
          class=${`table-row${first + index === current ? " current" : ""}${selected && keyOf(row) === selected ? " selected" : ""}`}
          style=${{ transform: `translateY(${(first + index) * ROW}px)`, gridTemplateColumns: template }}
          onClick=${() => { setAt(first + index); onOpen?.(row); }}>
          ${columns.map((column) => html`<div role="cell" class=${column.number ? "number" : ""}>${
            (column.show ?? column.value)(row)}</div>`)}
        </div>`)}
      </div>
    </div>
  </div>`;
}

export function sortRows(rows, columns, sort) {
  const column = columns.find((each) => each.key === sort.key) ?? columns[0];
  const sign = sort.down ? -1 : 1;
  return rows
    .map((row, index) => [column.value(row), index, row])
    .sort((a, b) => sign * compare(a[0], b[0]) || a[1] - b[1])
    .map((each) => each[2]);
}

function compare(a, b) {
  if (a === b) return 0;
  if (a === undefined || a === null) return -1;
  if (b === undefined || b === null) return 1;
  return a < b ? -1 : 1;
}
