// Hosts, their nodes and their agents. Each agent is a cell; its mark says whether it waits, has a
// full queue or errors. Nodes with many agents show prefixes instead.
import { html } from "../parts/html.js";
import { fillOf } from "./fill.js";
import { count, lastPart, oneLine, plural, seconds } from "../parts/text.js";

const CELLS = 60;

export function NodeMap({ app, store, agents }) {
  const byNode = new Map();
  for (const agent of agents) {
    const key = String(agent.node ?? "");
    if (!byNode.has(key)) byNode.set(key, []);
    byNode.get(key).push(agent);
  }
  const hosts = new Map();
  for (const [lease, node] of store.nodes) addTo(hosts, node.host ?? "this host", [lease, node]);
  for (const key of byNode.keys()) {
    if (!store.nodes.has(key)) addTo(hosts, "unknown host", [key, { lease: key, node: key }]);
  }
  const circles = new Set(store.waits().circles.flat());
  return html`<div class="map" tabindex="0" role="region" aria-label="Map of hosts, nodes and agents">
    <p class="legend"><span class="dot calm"></span> runs or is idle
      <span class="dot waits"></span> waits for somebody <span class="dot stuck"></span> waits in a circle
      <span class="dot errs"></span> has errors · the bar is the fill of the mailbox</p>
    ${[...hosts].slice(0, 200).map(([host, nodes]) => html`<section class="host">
      <h2>${oneLine(host)}</h2>
      <div class="nodes">${nodes.slice(0, 200).map(([lease, node]) => html`
        <${NodeCard} key=${lease} app=${app} node=${node} agents=${byNode.get(lease) ?? []} circles=${circles} />`)}
      </div></section>`)}
  </div>`;
}

function addTo(hosts, host, node) {
  if (!hosts.has(host)) hosts.set(host, []);
  hosts.get(host).push(node);
}

function NodeCard({ app, node, agents, circles }) {
  const facts = [plural(agents.length, "agent")];
  if (node.age !== undefined) facts.push(`lease renewed ${seconds(node.age)} ago`);
  if (node.certified) facts.push("certified");
  if (node.waiting) facts.push(`${count(node.waiting)} messages wait for absent agents`);
  return html`<article class="card node">
    <h3>${oneLine(node.node ?? node.lease)}</h3><p class="note">${facts.join(" · ")}</p>
    <div class="cells">${agents.length <= CELLS
      ? agents.map((agent, index) => html`<${Cell} key=${index} app=${app} agent=${agent} circles=${circles} />`)
      : prefixes(agents).map((fold, index) => html`<${Fold} key=${index} app=${app} fold=${fold} />`)}</div>
  </article>`;
}

function stateOf(agent, circles) {
  if (circles.has(agent.name)) return ["stuck", "waits in a circle"];
  if (agent.errors) return ["errs", plural(agent.errors, "error")];
  if (agent.waits?.for?.length) return ["waits", `waits for ${agent.waits.for.map(oneLine).join(", ")}`];
  return ["calm", ""];
}

function Cell({ app, agent, circles }) {
  const [mark, what] = stateOf(agent, circles);
  const fill = fillOf(agent) ?? Math.log10(1 + (agent.queue ?? 0)) / 4;
  return html`<a class=${`cell ${mark}`} href=${app.link("agent", agent.name)} title=${`${oneLine(agent.name)} ${what}`}>
    <span class=${`dot ${mark}`} aria-hidden="true"></span><span class="cell-name">${lastPart(agent.name)}</span>
    ${what && html`<span class="hidden">${what}</span>`}
    <span class="fill" aria-hidden="true" style=${{ transform: `scaleX(${Math.min(1, fill).toFixed(2)})` }}></span></a>`;
}

export function prefixes(agents) {
  const folds = new Map();
  for (const agent of agents) {
    const end = agent.name.indexOf("/");
    const key = end < 0 ? agent.name : agent.name.slice(0, end + 1);
    let fold = folds.get(key);
    if (!fold) folds.set(key, fold = { key, agents: 0, queue: 0, errors: 0, waits: 0 });
    fold.agents += 1;
    fold.queue += agent.queue ?? 0;
    fold.errors += agent.errors ?? 0;
    fold.waits += agent.waits?.for?.length ? 1 : 0;
  }
  const all = [...folds.values()];
  if (all.length <= CELLS) return all;
  const rest = all.slice(CELLS - 1).reduce((sum, fold) => ({
    key: "others", agents: sum.agents + fold.agents, queue: sum.queue + fold.queue,
    errors: sum.errors + fold.errors, waits: sum.waits + fold.waits }));
  return [...all.slice(0, CELLS - 1), { ...rest, key: "others" }];
}

function Fold({ app, fold }) {
  const mark = fold.errors ? "errs" : fold.waits ? "waits" : "calm";
  return html`<button class=${`cell fold ${mark}`} onClick=${() => {
    Object.assign(app.society, { view: "table", names: fold.key === "others" ? "" : `${fold.key}*` });
    app.redraw();
  }}><span class=${`dot ${mark}`} aria-hidden="true"></span>
    <span class="cell-name">${oneLine(fold.key)}</span>
    <small>${count(fold.agents)} agents, ${count(fold.queue)} queued${fold.errors ? `, ${count(fold.errors)} errors` : ""}</small></button>`;
}
