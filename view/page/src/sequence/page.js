// Page 1: the messages as they happen.
import { html, useEffect, useMemo, useRef, useState } from "../parts/html.js";
import { Act, Choice, Empty, Field, Toggle, WhyNot } from "../parts/controls.js";
import { count, oneLine, visible } from "../parts/text.js";
import { Selection } from "./selection.js";
import { Position, SequenceCanvas } from "./canvas.js";
import { Detail } from "./detail.js";
import { SendForm } from "./send.js";

// What outlives a visit to another page.
export class SequenceState {
  constructor(store) {
    this.position = new Position(new Selection(store.messages));
    this.filter = { names: "", types: "", conversation: "", text: "", trouble: false };
    this.selected = 0;
    this.word = "";
  }

  // After a new society there is a new list of messages.
  follow(store) {
    if (this.position.selection.messages === store.messages) return;
    const selection = new Selection(store.messages);
    this.position = new Position(selection);
    selection.setFilter(this.filter);
    this.selected = 0;
  }
}

export function SequencePage({ app, store }) {
  const state = app.sequence;
  state.follow(store);
  const position = state.position;
  position.selection.update();
  const [, again] = useState(0);
  const redraw = () => again((value) => value + 1);
  const [found, setFound] = useState("");
  const [more, setMore] = useState(false);
  const detailed = useRef(false);
  const timer = useRef(0);

  const filterBy = (change) => {
    state.filter = { ...state.filter, ...change };
    position.selection.setFilter(state.filter);
    position.planned = "";
    redraw();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => app.select(state.filter), 300);
  };
  useEffect(() => {
    app.filterBy = filterBy;
    return () => { app.filterBy = null; };
  });
  const select = (n, open) => {
    state.selected = n;
    detailed.current = detailed.current || open;
    redraw();
  };
  const follow = (on) => {
    position.following = on;
    if (!on && !position.anchor) position.anchor = position.selection.rows[0]?.n ?? 0;
    redraw();
  };
  const search = (step) => {
    const selection = position.selection;
    if (!state.word || !selection.rows.length) return;
    const from = state.selected ? selection.indexOf(state.selected) : selection.rows.length;
    const index = selection.search(state.word, from, step);
    if (index < 0) {
      setFound(`No message here has “${oneLine(state.word)}”.`);
      return;
    }
    position.following = false;
    const box = document.querySelector(".sequence-scroll");
    app.show(box, position, index);
    setFound(`Message ${count(index + 1)} of ${count(selection.rows.length)}`);
    select(selection.rows[index].n, true);
  };
  const overhear = store.may("overhear");
  const filtered = useMemo(() => Object.values(state.filter).some(Boolean), [state.filter]);
  const close = () => { state.selected = 0; detailed.current = false; redraw(); };
  const open = state.selected > 0 && detailed.current;
  return html`<div class=${`page sequence-page${open ? " with-detail" : ""}`}>
    <div class="tools">
      <${Toggle} label=${position.following ? "Pause" : "Paused"} on=${!position.following}
        onChange=${(on) => follow(!on)} />
      <${Field} label="Agents" value=${state.filter.names} placeholder="agents, lab/*" width="150px"
        onInput=${(names) => filterBy({ names })} />
      <${Field} label="Search" value=${state.word} placeholder="search" width="160px"
        onInput=${(word) => { state.word = word; redraw(); }}
        onKeyDown=${(event) => event.key === "Enter" && search(event.shiftKey ? 1 : -1)} />
      <button onClick=${() => search(-1)} aria-label="Find the one before">↑</button>
      <button onClick=${() => search(1)} aria-label="Find the one after">↓</button>
      <${Toggle} label="Only trouble" on=${state.filter.trouble}
        onChange=${(trouble) => filterBy({ trouble })} />
      <${Toggle} label="More" on=${more} onChange=${setMore} />
      ${filtered && html`<button onClick=${() => filterBy({
        names: "", types: "", conversation: "", text: "", trouble: false })}>Show all</button>`}
      <span class="note" role="status">${found}</span>
      <span class="grow"></span>
      <span class="note held">${`${count(position.selection.rows.length)} of ${
        count(store.messages.rows.length)} rows`}</span>
    </div>
    ${more && html`<div class="tools second">
      <${Field} label="Type" value=${state.filter.types} placeholder="coracle/caf/*" width="150px"
        onInput=${(types) => filterBy({ types })} />
      <${Field} label="Text" value=${state.filter.text} width="150px" onInput=${(text) => filterBy({ text })} />
      <${Field} label="Conversation" value=${state.filter.conversation} width="140px"
        onInput=${(conversation) => filterBy({ conversation })} />
      <${Debugging} app=${app} store=${store} />
    </div>`}
    ${!overhear.allowed && html`<p class="whynot wide">Messages are not shown: ${overhear.why}</p>`}
    ${overhear.allowed && !store.messages.rows.length
      ? html`<${Empty} title="No message yet">
          ${store.hello ? "Messages appear here as agents send them." : "The society is not there yet. The page waits for it."}<//>`
      : html`<${SequenceCanvas} store=${store} position=${position} selected=${state.selected}
          conversation=${""} onSelect=${select} onFollow=${follow}
          onOpen=${(name) => app.go("agent", name)} />`}
    ${!position.following && html`<button class="to-end" onClick=${() => follow(true)}>
      ↓ Follow the newest</button>`}
    ${open && html`<${Detail} key=${state.selected} app=${app} store=${store} n=${state.selected}
      onClose=${close} onFilter=${filterBy} onSelect=${(n) => select(n, true)} />`}
  </div>`;
}

// Step mode and scramble mode.
function Debugging({ app, store }) {
  const [pattern, setPattern] = useState("");
  if (store.recorded) return null;
  return html`<fieldset class="debugging"><legend>Step and scramble</legend>
    <${WhyNot} store=${store} right="operate" what="Holding messages is off" />
    ${store.may("operate").allowed && html`
      <${Field} label="Pattern" value=${pattern} placeholder="to an agent" onInput=${setPattern} width="130px" />
      <${Act} store=${store} right="operate" label="Hold"
        action=${() => app.ask("hold", { pattern })} />
      <${Act} store=${store} right="operate" label="Scramble order"
        action=${() => app.ask("scramble", { pattern, on: true })} />
      <${Act} store=${store} right="operate" label="Keep order"
        action=${() => app.ask("scramble", { pattern, on: false })} />`}
    ${store.holds.map((hold) => html`<div class="hold">
      <b>${visible(hold.pattern)}</b> holds ${count(hold.waiting?.length ?? 0)}
      ${hold.waiting?.[0] && html`<span class="note">next: ${oneLine(hold.waiting[0].from)} →
        ${oneLine(hold.waiting[0].to)} ${oneLine(hold.waiting[0].text)}</span>`}
      <${Act} store=${store} right="operate" label="Let one go"
        action=${() => app.ask("release", { hold: hold.id, count: 1 })} />
      <${Act} store=${store} right="operate" label="Let all go"
        action=${() => app.ask("release", { hold: hold.id, count: 0 })} />
    </div>`)}
  </fieldset>
  <${SendForm} app=${app} store=${store} />`;
}

