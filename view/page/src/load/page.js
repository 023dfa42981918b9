// Page 3: load, series of metrics, and panels of programs.
import { html, useState } from "../parts/html.js";
import { Empty, Field, Segments } from "../parts/controls.js";
import { Table } from "../parts/table.js";
import { count, oneLine } from "../parts/text.js";
import { cpuColumn, fillColumn } from "../society/fill.js";
import { AgentTable, nodeName } from "../society/page.js";
import { Chart } from "./chart.js";
import { Panels } from "./panels.js";

const AT_ONCE = 12;

export function LoadPage({ app, store }) {
  const state = app.load;
  const [, again] = useState(0);
  const change = (members) => { Object.assign(state, members); again((value) => value + 1); };
  const views = [["series", "Series"], ["agents", "Agents"], ["links", "Links"], ["values", "All values"]];
  if (store.panels.length) views.push(["panels", "Panels"]);
  return html`<div class="page load-page">
    <div class="tools">
      <${Segments} label="View" value=${state.view} options=${views} onChange=${(view) => change({ view })} />
      ${(state.view === "series" || state.view === "values") && html`<${Field} label="Metrics" width="160px"
        value=${state.names} placeholder="part of a name" onInput=${(names) => change({ names })} />`}
      <span class="grow"></span>
      <span class="note held">${count(store.series.metrics.size)} metrics${
        store.series.refused ? `, ${count(store.series.refused)} values beyond the limit` : ""}</span>
    </div>
    ${state.view === "series" && html`<${SeriesView} store=${store} names=${state.names} />`}
    ${state.view === "agents" && html`<${LoadTable} app=${app} store=${store} />`}
    ${state.view === "links" && html`<${Links} store=${store} />`}
    ${state.view === "values" && html`<${Values} store=${store} names=${state.names} />`}
    ${state.view === "panels" && html`<${Panels} app=${app} store=${store} />`}
  </div>`;
}

function metricsOf(store, names) {
  const known = [...store.series.metrics.values()].filter((metric) => store.series.lines.has(metric.name));
  return known.filter((metric) => !names || metric.name.includes(names));
}

function SeriesView({ store, names }) {
  const metrics = metricsOf(store, names);
  if (!metrics.length) return html`<${Empty} title="No values yet">Values of the society's metrics come once a second.<//>`;
  return html`<div class="cards charts" tabindex="0" role="region" aria-label="Series of metrics">
    ${metrics.slice(0, AT_ONCE).map((metric) => {
      const joined = store.series.joined(metric.name, 6);
      return html`<section class="card" key=${metric.name} title=${oneLine(metric.help)}>
        <${Chart} title=${metric.name} unit=${metric.unit} ...${joined} />
        <p class="note more">${joined.more > 0 ? `${count(joined.more)} lower lines are not drawn` : oneLine(metric.help)}</p></section>`;
    })}
    ${metrics.length > AT_ONCE && html`<p class="note">${count(metrics.length - AT_ONCE)} more metrics; narrow the names to see them.</p>`}
  </div>`;
}

function LoadTable({ app, store }) {
  const ofAgents = [...store.series.metrics.values()].filter((metric) => metric.of === "agent").slice(0, 5);
  const columns = [
    { key: "name", title: "Agent", width: "minmax(160px, 2fr)", least: 160, value: (a) => a.name,
      show: (a) => html`<a href=${app.link("agent", a.name)} tabindex="-1">${oneLine(a.name)}</a>` },
    { key: "node", title: "Node", width: "110px", value: (a) => nodeName(store, a.node) },
    { key: "queue", title: "Queue", width: "90px", number: true, value: (a) => a.queue ?? 0, show: (a) => count(a.queue ?? 0) },
    fillColumn,
    cpuColumn,
    { key: "errors", title: "Errors", width: "90px", number: true, value: (a) => a.errors ?? 0, show: (a) => count(a.errors ?? 0) },
    ...ofAgents.map((metric) => ({ key: `m ${metric.name}`, title: oneLine(metric.name), number: true, least: 120,
      value: (a) => store.series.last(metric.name, a.name), show: (a) => count(store.series.last(metric.name, a.name)) })),
  ];
  return html`<${AgentTable} app=${app} store=${store} agents=${[...store.agents.values()]} columns=${columns}
    label="Load of agents" initial=${{ key: "queue", down: true }} />`;
}

// One row for each link, one column for each metric of links.
function Links({ store }) {
  const metrics = [...store.series.metrics.values()].filter((metric) => metric.of === "link");
  const labels = new Set(metrics.flatMap((metric) => [...(store.series.lines.get(metric.name)?.keys() ?? [])]));
  if (!labels.size) return html`<${Empty} title="No links">Links between nodes are listed here with their round trip, capacity and compression.<//>`;
  return html`<${Table} label="Links" rows=${[...labels]} keyOf=${(label) => label}
    columns=${[{ key: "link", title: "Link", width: "minmax(160px, 2fr)", least: 160, value: (l) => l, show: oneLine },
      ...metrics.map((metric) => ({ key: metric.name, title: `${oneLine(metric.name)}${metric.unit ? ` (${oneLine(metric.unit)})` : ""}`,
        number: true, least: 130, value: (l) => store.series.last(metric.name, l), show: (l) => count(store.series.last(metric.name, l)) }))]} />`;
}

function Values({ store, names }) {
  const rows = [];
  for (const metric of metricsOf(store, names)) {
    for (const [label, line] of store.series.lines.get(metric.name)) rows.push({ metric, label, line });
  }
  return html`<${Table} label="All values" rows=${rows} keyOf=${(row) => row.label} columns=${[
    { key: "metric", title: "Metric", width: "minmax(160px, 2fr)", least: 160, value: (r) => r.metric.name, show: (r) => oneLine(r.metric.name) },
    { key: "label", title: "Of", value: (r) => r.label, show: (r) => oneLine(r.label), least: 120 },
    { key: "value", title: "Value", number: true, width: "110px", value: (r) => r.line.value.at(-1), show: (r) => count(r.line.value.at(-1)) },
    { key: "unit", title: "Unit", width: "110px", value: (r) => oneLine(r.metric.unit) },
    { key: "points", title: "Points", number: true, width: "80px", value: (r) => r.line.at.length },
    { key: "help", title: "Meaning", width: "minmax(160px, 3fr)", least: 160, value: (r) => oneLine(r.metric.help) }]} />`;
}
