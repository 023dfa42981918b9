// A value as a tree that can be folded. What is deep or long is opened in steps, so that a hostile
// value costs no more than what the reader looks at.
import { html, useState } from "./html.js";
import { count, visible } from "./text.js";

const STEP = 50;
const OPEN_DEPTH = 3;

// With `pairs`, a map is written as {"map": [[key, value]…]}, so that any value can be a key.
export function Tree({ value, name, depth = 0, pairs = false }) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(STEP);
  const label = name === undefined ? null : html`<span class="tree-name">${visible(name)}</span>`;
  if (value === null || typeof value !== "object") {
    return html`<div class="tree-leaf">${label}<${Leaf} value=${value} /></div>`;
  }
  const entries = Array.isArray(value) ? value.map((each, index) => [index, each])
    : pairs && Array.isArray(value.map) ? value.map.map(([key, each]) => [keyText(key), each])
      : Object.entries(value);
  const what = Array.isArray(value) ? `list of ${count(entries.length)}`
    : `map of ${count(entries.length)}`;
  return html`<div class="tree">
    <button class="tree-fold" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <span aria-hidden="true">${open ? "▾" : "▸"}</span> ${label}<span class="tree-what">${what}</span></button>
    ${open && html`<div class="tree-inside">
      ${entries.slice(0, shown).map(([key, each], index) =>
        html`<${Tree} key=${index} name=${key} pairs=${pairs} value=${each} depth=${depth + 1} />`)}
      ${entries.length > shown && html`<button onClick=${() => setShown(shown + STEP * 4)}>
        Show more of ${count(entries.length - shown)}</button>`}
    </div>`}
  </div>`;
}

function keyText(key) {
  return typeof key === "string" ? key : JSON.stringify(key);
}

function Leaf({ value }) {
  const kind = value === null ? "null" : typeof value;
  const text = kind === "string" ? `“${visible(value)}”` : String(value);
  return html`<span class=${`tree-${kind}`}>${text}</span>`;
}
