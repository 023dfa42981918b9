// One message: its stages with times, its custody, its content decoded, its conversation.
import { html, useEffect, useRef, useState } from "../parts/html.js";
import { Outcome } from "../parts/controls.js";
import { bytes, clock, oneLine, seconds, visible } from "../parts/text.js";
import { outcomeOf } from "../parts/outcomes.js";
import { Tree } from "../parts/tree.js";

export function Detail({ app, store, n, onClose, onFilter, onSelect }) {
  const row = store.messages.find(n);
  const [answer, setAnswer] = useState(null);
  const heading = useRef();
  useEffect(() => {
    let current = true;
    app.ask("message", { n }).then(
      (ok) => current && setAnswer({ ok }),
      (error) => current && setAnswer({ error: error.message }));
    return () => { current = false; };
  }, [n, row?.outcome]);
  const message = { ...row, ...answer?.ok?.message };
  const outcome = outcomeOf(message, store.messages.reported);
  const keys = (event) => event.key === "Escape" && onClose();
  return html`<aside class="detail" aria-label="The selected message" onKeyDown=${keys}>
    <header>
      <h2 ref=${heading}>${visible(message.type) || "Text"}</h2>
      <button onClick=${onClose} aria-label="Close the message">✕</button>
    </header>
    <p class="route"><a href=${app.link("agent", message.from)}>${visible(message.from)}</a>
      <span aria-label="to"> → </span><a href=${app.link("agent", message.to)}>${visible(message.to)}</a></p>
    <p><${Outcome} name=${outcome} reason=${message.reason && oneLine(message.reason)} />
      ${message.kind && html`<span class="chip">${message.kind}</span>`}
      ${message.group && html`<span class="chip">to group ${oneLine(message.group)}</span>`}
      ${message.earlier && html`<span class="chip">sent before the view began</span>`}</p>
    <div class="buttons">
      ${message.conv !== undefined && html`<button
        onClick=${() => onFilter({ conversation: String(message.conv) })}>Only this conversation</button>`}
      ${message.answers && html`<button onClick=${() => onSelect(message.answers)}>Show the request</button>`}
      ${message.replied && html`<button onClick=${() => onSelect(message.replied)}>Show the reply</button>`}
      ${store.recorded && html`<button onClick=${() => app.go("time", String(n))}>Replay from here…</button>`}
    </div>
    <h3>Content</h3>
    ${answer?.error && html`<p class="bad">${answer.error}</p>`}
    <${Content} tree=${answer?.ok?.tree} text=${message.text} />
    <h3>Stages</h3>
    <${Stages} stages=${answer?.ok?.stages ?? stagesOf(message)} />
    <h3>Facts</h3>
    <dl class="facts">
      ${fact("Sent at", clock(message.at))}
      ${fact("Size", bytes(message.size ?? 0))}
      ${fact("Conversation", message.conv)}
      ${fact("Custody", answer?.ok?.custody && textOf(answer.ok.custody))}
      ${fact("Trace", answer?.ok?.trace && textOf(answer.ok.trace))}
      ${fact("Node", message.node)}
      ${fact("Life of the sender", message.life)}
      ${fact("Number", n)}
    </dl>
    ${answer?.ok?.headers && html`<h3>Headers</h3><${Headers} headers=${answer.ok.headers} />`}
  </aside>`;
}

function fact(name, value) {
  if (value === undefined || value === null || value === "" || value === false) return null;
  return html`<dt>${name}</dt><dd>${visible(value)}</dd>`;
}

function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Headers({ headers }) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  return html`<dl class="facts">${pairs.map(([name, value]) => fact(visible(name), textOf(value)))}</dl>`;
}

// The stages that came with the batches, until the server's answer is here.
function stagesOf(message) {
  const stages = [{ at: message.at, what: "sent" }];
  if (message.kept) stages.push({ at: message.kept, what: "kept in the mailbox" });
  if (message.taken) stages.push({ at: message.taken, what: "handed out" });
  if (message.ended) stages.push({ at: message.ended, what: message.outcome ?? "ended" });
  return stages;
}

function Stages({ stages }) {
  const first = stages[0]?.at ?? 0;
  return html`<ol class="stages">${stages.map((stage, index) => html`<li>
    <span class="what">${visible(stage.what)}</span>
    <time>${clock(stage.at)}</time>
    <span class="since">${index ? `+${seconds(stage.at - first)}` : ""}</span></li>`)}</ol>`;
}

function Content({ tree, text }) {
  const [form, setForm] = useState("tree");
  if (!tree) return html`<pre class="content">${visible(text) || "(empty)"}</pre>`;
  const whole = tree.text ?? tree.diagnostic ?? text;
  if (tree.kind === "text" || tree.kind === "acl") return html`<pre class="content">${visible(whole) || "(empty)"}</pre>`;
  if (tree.kind === "bytes") {
    return html`<p class="note">${tree.why ? visible(tree.why) : "This content has no form that the view knows."}</p>
      <pre class="content">${visible(tree.hex || whole)}</pre>`;
  }
  return html`<div class="segments" role="group" aria-label="Form of the content">
      <button aria-pressed=${form === "tree"} onClick=${() => setForm("tree")}>Tree</button>
      <button aria-pressed=${form === "text"} onClick=${() => setForm("text")}>Text</button>
    </div>
    ${form === "tree" && tree.value !== undefined ? html`<${Tree} value=${tree.value} pairs=${true} />`
      : html`<pre class="content">${visible(whole)}</pre>`}`;
}
