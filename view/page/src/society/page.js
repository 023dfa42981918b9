// Page 2: the agents as a map, as a table and as a graph of who talks with whom.
import { html, useMemo, useState } from "../parts/html.js";
import { Empty, Field, Segments } from "../parts/controls.js";
import { Table } from "../parts/table.js";
import { count, oneLine, plural, seconds } from "../parts/text.js";
import { nameTest } from "../sequence/selection.js";
import { cpuColumn, fillColumn } from "./fill.js";
import { NodeMap } from "./map.js";
import { Graph } from "./graph.js";

export function SocietyPage({ app, store }) {
  const state = app.society;
  const [, again] = useState(0);
  const change = (members) => { Object.assign(state, members); again((value) => value + 1); };
  const test = nameTest(state.names);
  const agents = useMemo(() => [...store.agents.values()].filter((agent) =>
    (!test || test(agent.name) || (agent.roles ?? []).some(test)) && (!state.waiting || waitsFor(agent))),
  [store.agents, store.societyVersion, state.names, state.waiting]);
  return html`<div class="page society-page">
    <div class="tools">
      <${Segments} label="View" value=${state.view} onChange=${(view) => change({ view })}
        options=${[["map", "Map"], ["table", "Table"], ["graph", "Graph"], ["groups", "Groups"]]} />
      <${Field} label="Agents" value=${state.names} placeholder="agents, roles" width="170px"
        onInput=${(names) => change({ names })} />
      <button aria-pressed=${state.waiting} class="toggle"
        onClick=${() => change({ waiting: !state.waiting })}>Only waiting</button>
      <span class="grow"></span>
      <span class="note held">${`${count(agents.length)} of ${plural(store.agents.size, "agent")} on ${
        plural(store.nodes.size, "node")}`}</span>
    </div>
    ${!store.agents.size && html`<${Empty} title="No agent yet">Agents appear here when they claim their names.<//>`}
    ${store.agents.size > 0 && view(state.view, app, store, agents)}
  </div>`;
}

function view(name, app, store, agents) {
  if (name === "table") return html`<${AgentTable} app=${app} store=${store} agents=${agents} />`;
  if (name === "graph") return html`<${Graph} app=${app} store=${store} agents=${agents} />`;
  if (name === "groups") return html`<${Groups} app=${app} store=${store} />`;
  return html`<${NodeMap} app=${app} store=${store} agents=${agents} />`;
}

export function waitsFor(agent) {
  return agent.waits?.for?.length ? agent.waits.for.map(oneLine).join(", ") : "";
}

export function AgentTable({ app, store, agents, columns, initial, label }) {
  const now = store.time();
  const circles = new Set(store.waits().circles.flat());
  return html`<${Table} label=${label ?? "Agents"} rows=${agents} keyOf=${(agent) => agent.name}
    initial=${initial ?? { key: "name", down: false }}
    onOpen=${(agent) => app.go("agent", agent.name)}
    columns=${columns ?? [
      { key: "name", title: "Agent", width: "minmax(160px, 2fr)", least: 160, value: (a) => a.name,
        show: (a) => html`<a href=${app.link("agent", a.name)} tabindex="-1">${oneLine(a.name)}</a>` },
      { key: "roles", title: "Roles", value: (a) => (a.roles ?? []).map(oneLine).join(", ") },
      { key: "node", title: "Node", width: "110px", value: (a) => nodeName(store, a.node) },
      { key: "queue", title: "Queue", width: "80px", number: true, value: (a) => a.queue ?? 0, show: (a) => count(a.queue ?? 0) },
      fillColumn,
      cpuColumn,
      { key: "sent", title: "Sent", width: "90px", number: true, value: (a) => a.sent ?? 0, show: (a) => count(a.sent ?? 0) },
      { key: "received", title: "Received", width: "100px", number: true, value: (a) => a.received ?? 0, show: (a) => count(a.received ?? 0) },
      { key: "errors", title: "Errors", width: "80px", number: true, value: (a) => a.errors ?? 0,
        show: (a) => html`<span class=${a.errors ? "bad" : ""}>${count(a.errors ?? 0)}</span>` },
      { key: "waits", title: "Waits for", value: waitsFor, least: 140,
        show: (a) => html`<span class=${circles.has(a.name) ? "bad" : ""}>${waitsFor(a)}${circles.has(a.name) ? " (circle)" : ""}</span>` },
      { key: "since", title: "Waits since", width: "110px", number: true,
        value: (a) => (waitsFor(a) ? now - (a.waits.since ?? 0) : -1),
        show: (a) => (waitsFor(a) ? seconds(now - (a.waits.since ?? 0)) : "") },
    ]} />`;
}

export function nodeName(store, lease) {
  const node = store.nodes.get(String(lease));
  return node ? oneLine(node.node ?? node.lease) : oneLine(lease ?? "");
}

function Groups({ app, store }) {
  if (!store.groups.length) {
    return html`<${Empty} title="No groups">Agents that join a group are listed here under its name.<//>`;
  }
  return html`<div class="cards" tabindex="0" role="region" aria-label="Groups">${store.groups.slice(0, 500).map(([name, members]) => html`
    <section class="card"><h2>${oneLine(name)}</h2><p class="note">${plural(members.length, "member")}</p>
      <p class="members">${members.slice(0, 100).map((member) => html`
        <a href=${app.link("agent", member)}>${oneLine(member)}</a> `)}
        ${members.length > 100 && html`<span class="note">and ${count(members.length - 100)} more</span>`}</p>
    </section>`)}</div>`;
}
