// Panels that programs add. A script runs in a sandboxed frame of another origin, which gets the
// panel's data as a message and can reach neither the page nor the feed.
import { Boundary, html, useEffect, useRef } from "../parts/html.js";
import { count, oneLine, visible } from "../parts/text.js";
import { Chart } from "./chart.js";

export function Panels({ store }) {
  return html`<div class="cards" tabindex="0" role="region" aria-label="Panels of programs">${store.panels.map((panel) => html`
    <section class="card wide" key=${panel.id}><h2>${oneLine(panel.name)}</h2>
      <${Boundary} what="This panel"><${Panel} panel=${panel} given=${store.panelData.get(panel.id)} /><//></section>`)}</div>`;
}

function Panel({ panel, given }) {
  const data = given?.data;
  if (given?.error) return html`<p class="bad">${visible(given.error)}</p>`;
  if (panel.view === "script") return html`<${Frame} panel=${panel} data=${data} />`;
  if (data === undefined) return html`<p class="note">The program has given no data yet.</p>`;
  if (panel.view === "table") return html`<${PlainTable} data=${data} />`;
  if (panel.view === "series") return html`<${SeriesPanel} panel=${panel} data=${data} />`;
  if (panel.view === "graph") return html`<${GraphPanel} data=${data} />`;
  return html`<pre class="content">${typeof data === "string" ? visible(data) : visible(JSON.stringify(data, null, 2))}</pre>`;
}

// `data`: {columns: [text], rows: [[value]]}, or a list of maps.
function PlainTable({ data }) {
  const rows = Array.isArray(data) ? data : data.rows ?? [];
  const columns = data.columns ?? [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row ?? {})))];
  const cell = (row, column, index) => (Array.isArray(row) ? row[index] : row?.[column]);
  const text = (value) => (typeof value === "number" ? count(value)
    : typeof value === "object" && value ? JSON.stringify(value) : visible(value));
  return html`<div class="plain-scroll" tabindex="0" role="region" aria-label="Table of the panel"><table class="plain">
    <thead><tr>${columns.map((column) => html`<th>${visible(column)}</th>`)}</tr></thead>
    <tbody>${rows.slice(0, 500).map((row) => html`<tr>${columns.map((column, index) =>
      html`<td>${text(cell(row, column, index))}</td>`)}</tr>`)}</tbody></table>
    ${rows.length > 500 && html`<p class="note">${count(rows.length - 500)} more rows are not shown.</p>`}</div>`;
}

// `data`: {at: [seconds], lines: [[label, [values]]]}.
function SeriesPanel({ panel, data }) {
  const lines = (data.lines ?? []).slice(0, 8);
  const at = Array.isArray(data.at) ? data.at : [];
  return html`<${Chart} title=${panel.name} unit=${data.unit} labels=${lines.map(([label]) => String(label))}
    data=${[at, ...lines.map(([, values]) => values)]} />`;
}

// `data`: {links: [[from, to, number]]}.
function GraphPanel({ data }) {
  const links = (data.links ?? []).slice(0, 200);
  const names = [...new Set(links.flatMap(([from, to]) => [from, to]))].slice(0, 40);
  const at = (name) => {
    const angle = 2 * Math.PI * names.indexOf(name) / Math.max(1, names.length) - Math.PI / 2;
    return [300 + 230 * Math.cos(angle), 130 + 100 * Math.sin(angle)];
  };
  return html`<svg class="small-graph" viewBox="0 0 600 270" role="img" aria-label=${`Graph with ${names.length} nodes and ${links.length} links`}>
    ${links.filter(([from, to]) => names.includes(from) && names.includes(to)).map(([from, to]) => html`
      <line class="edge" x1=${at(from)[0]} y1=${at(from)[1]} x2=${at(to)[0]} y2=${at(to)[1]} />`)}
    ${names.map((name) => html`<g><circle class="vertex" cx=${at(name)[0]} cy=${at(name)[1]} r="6" />
      <text x=${at(name)[0]} y=${at(name)[1] + 20} text-anchor="middle">${oneLine(name).slice(0, 20)}</text></g>`)}</svg>`;
}

function Frame({ panel, data }) {
  const frame = useRef();
  const send = () => frame.current?.contentWindow?.postMessage({ is: "panel", id: panel.id, data }, "*");
  useEffect(send, [data]);
  return html`<iframe ref=${frame} class="panel-frame" sandbox="allow-scripts" title=${oneLine(panel.name)}
    src=${`/panel/${encodeURIComponent(panel.id)}`} onLoad=${send}></iframe>`;
}
