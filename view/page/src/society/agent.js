// The page of one agent: what it does, why it waits, its mailbox, its errors, and acts on it.
import { html, useEffect, useState } from "../parts/html.js";
import { Act, WhyNot } from "../parts/controls.js";
import { Tree } from "../parts/tree.js";
import { bytes, clock, count, oneLine, plural, seconds, shortType, visible } from "../parts/text.js";
import { chainOf } from "../state/waits.js";
import { SendForm } from "../sequence/send.js";
import { cpuOf } from "./fill.js";
import { nodeName } from "./page.js";

const REFRESH_MS = 1000;

export function AgentPage({ app, store, name }) {
  const [inspection, setInspection] = useState(null);
  const [why, setWhy] = useState(null);
  useEffect(() => {
    let current = true;
    setInspection(null);
    setWhy(null);
    if (!store.may("inspect").allowed) return undefined;
    const look = () => {
      app.ask("agent", { name }).then(
        (ok) => current && setInspection({ ok }), (error) => current && setInspection({ error: error.message }));
      app.ask("why", { name }).then(
        (ok) => current && setWhy({ ok }), (error) => current && setWhy({ error: error.message }));
    };
    look();
    const timer = setInterval(look, REFRESH_MS);
    return () => { current = false; clearInterval(timer); };
  }, [name, store.hello]);
  const agent = store.agents.get(name);
  const found = inspection?.ok ?? {};
  return html`<div class="page agent-page" tabindex="0" role="region" aria-label=${`Agent ${visible(name)}`}>
    <header class="agent-head"><a href=${app.link("society")}>Society</a><span aria-hidden="true"> / </span>
      <h1>${visible(name)}</h1>
      ${!agent && html`<p class="bad">No agent has this name now. Messages to it wait with their custodian.</p>`}</header>
    <div class="cards">
      <${Summary} store=${store} agent=${agent} found=${found} />
      <${Why} app=${app} store=${store} name=${name} why=${why} />
      <${Requests} app=${app} store=${store} found=${found} />
      <${Errors} found=${found} />
      <${Shown} found=${found} />
      <${Mailbox} store=${store} found=${found} error=${inspection?.error} agent=${agent} />
      <${Acts} app=${app} store=${store} name=${name} found=${found} />
    </div>
  </div>`;
}

function Summary({ store, agent, found }) {
  const rows = [
    ["State", found.state], ["Roles", (agent?.roles ?? []).join(", ")],
    ["Node", agent && nodeName(store, agent.node)], ["Life", found.life],
    ["Groups", (agent?.groups ?? []).join(", ")],
    ["Sent", agent && count(agent.sent ?? 0)], ["Received", agent && count(agent.received ?? 0)],
    ["Processor", cpuOf(agent)],
    ["Properties", Object.entries(agent?.props ?? {}).map(([key, value]) => `${key}=${value}`).join(", ")],
    ["Supervisor", supervisorText(found.supervisor)],
  ];
  return html`<section class="card"><h2>Agent</h2><dl class="facts">
    ${rows.filter(([, value]) => value !== undefined && value !== "").map(([key, value]) =>
      html`<dt>${key}</dt><dd>${visible(value)}</dd>`)}</dl></section>`;
}

function supervisorText(supervisor) {
  if (!supervisor) return "none";
  if (typeof supervisor === "string") return supervisor;
  const restarts = supervisor.restarts !== undefined ? `, ${plural(supervisor.restarts, "restart")}` : "";
  const limit = supervisor.limit ? ` of at most ${supervisor.limit}` : "";
  return `${supervisor.name ?? ""}${restarts}${limit}`;
}

function Why({ app, store, name, why }) {
  const now = store.time();
  const local = chainOf(name, store.agents);
  const chain = why?.ok?.chain?.length ? why.ok.chain : local.chain.map((each) => {
    const waits = store.agents.get(each)?.waits;
    return { name: each, what: waits?.what, for: waits?.for ?? [], since: waits?.since };
  });
  const circle = why?.ok ? !!why.ok.circle : local.circle;
  const waits = chain.length > 1 || chain[0]?.for?.length;
  return html`<section class=${`card why${circle ? " stuck" : ""}`}><h2>Why it waits</h2>
    <${WhyNot} store=${store} right="inspect" what="Only what the society publishes is shown" />
    ${!waits && html`<p>It waits for nobody.</p>`}
    ${waits && circle && html`<p class="bad"><b>A circle:</b> ${
      circleOf(chain).map((each) => visible(each)).join(" → ")}. None of them can go on by itself.</p>`}
    ${waits && html`<ol class="chain">${chain.map((link, index) => html`<li key=${index}>
      <a href=${app.link("agent", link.name)}>${visible(link.name)}</a>
      ${(link.for ?? []).length > 0
        ? html`${` waits for ${[].concat(link.for).map(visible).join(", ")}`}
          <span class="note">${` ${oneLine(link.what)}${link.since !== undefined
            ? `, for ${seconds(now - link.since)}` : ""}`}</span>`
        : html`<span class="note"> ${circle ? "is where the circle closes" : "does not wait"}</span>`}
    </li>`)}</ol>`}</section>`;
}

export function circleOf(chain) {
  const names = chain.map((link) => link.name);
  const last = chain[chain.length - 1];
  const back = [].concat(last?.for ?? [])[0] ?? last?.name;
  const start = Math.max(0, names.indexOf(back));
  const circle = names.slice(start);
  return circle[circle.length - 1] === back && circle.length > 1 ? circle : circle.concat(back);
}

function Mailbox({ store, found, error, agent }) {
  const mailbox = found.mailbox ?? {};
  const number = mailbox.count ?? agent?.queue ?? 0;
  const limit = mailbox.limit;
  return html`<section class="card wide"><h2>Mailbox</h2>
    <p>${plural(number, "message")}${limit ? ` of at most ${count(limit)}` : ""}${
      mailbox.bytes ? `, ${bytes(mailbox.bytes)}` : ""}</p>
    ${limit > 0 && html`<meter min="0" max=${limit} value=${number} aria-label="Fill of the mailbox"></meter>`}
    ${error && html`<p class="bad">${error}</p>`}
    ${mailbox.first?.length > 0 && html`<table class="plain"><thead><tr><th>From</th><th>Type</th><th>Text</th><th>Size</th></tr></thead>
      <tbody>${mailbox.first.slice(0, 20).map((message, index) => html`<tr key=${index}>
        <td>${oneLine(message.from)}</td><td>${shortType(message.type)}</td>
        <td>${oneLine(message.text)}</td><td>${bytes(message.size ?? 0)}</td></tr>`)}</tbody></table>`}
  </section>`;
}

function Requests({ app, store, found }) {
  const requests = found.requests ?? [];
  const now = store.time();
  return html`<section class="card"><h2>Open requests</h2>
    ${!requests.length && html`<p>None.</p>`}
    <ul class="list">${requests.slice(0, 50).map((request, index) => html`<li key=${index}>to
      <a href=${app.link("agent", request.to)}> ${visible(request.to)}</a>
      <span class="note"> ${`${oneLine(request.what ?? shortType(request.type))}, for ${seconds(now - (request.since ?? now))}`}</span></li>`)}</ul></section>`;
}

function Errors({ found }) {
  const errors = found.errors ?? [];
  return html`<section class="card"><h2>Last errors</h2>
    ${!errors.length && html`<p>None.</p>`}
    <ul class="list">${errors.slice(-20).reverse().map((error, index) => html`<li key=${index}>
      <time>${error.at !== undefined ? clock(error.at) : ""}</time> ${visible(error.text ?? error)}</li>`)}</ul></section>`;
}

function Shown({ found }) {
  if (found.shown === undefined) return null;
  return html`<section class="card"><h2>State that it shows</h2>
    ${typeof found.shown === "string" ? html`<pre class="content">${visible(found.shown)}</pre>`
      : html`<${Tree} value=${found.shown} />`}</section>`;
}

function Acts({ app, store, name, found }) {
  if (store.recorded) {
    return html`<section class="card"><h2>Acts</h2><p class="whynot">This is a recording. Nothing can be done to it.</p></section>`;
  }
  const act = (what) => () => app.ask(what, { name });
  return html`<section class="card wide"><h2>Acts</h2>
    <${WhyNot} store=${store} right="operate" what="Acts are off" />
    ${store.may("operate").allowed && html`<div class="buttons">
      <${Act} store=${store} right="operate" label="End" danger=${true} action=${act("end")} />
      ${found.supervisor && html`<${Act} store=${store} right="operate" label="Restart" action=${act("restart")} />`}
      <${Act} store=${store} right="operate" label="Record" action=${act("record")} /></div>
      ${!found.supervisor && html`<p class="whynot">Restart is off: the agent has no supervisor.</p>`}`}
    <${SendForm} app=${app} store=${store} to=${name} />
    ${store.acts.length > 0 && html`<h3>Acts of operators</h3>
      <ul class="list">${store.acts.slice(-20).reverse().map((each, index) => html`<li key=${index}>
        <time>${clock(each.at)}</time> ${visible(each.who)}: ${visible(each.what)} ${visible(each.to)}</li>`)}</ul>`}
  </section>`;
}
