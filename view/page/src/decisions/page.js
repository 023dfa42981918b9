// Page 4: decisions that agents make together, drawn from their messages.
import { html, useState } from "../parts/html.js";
import { Empty, Field, Segments } from "../parts/controls.js";
import { clock, count, oneLine, visible } from "../parts/text.js";
import { Contract, Council, Market } from "./agreements.js";
import { joinPipelines } from "./reduce.js";
import { Game } from "./game.js";
import { Layers, Pipeline } from "./structures.js";

export const KINDS = {
  __proto__: null,
  council: { title: "Councils", one: "Council", show: Council },
  contract: { title: "Contracts", one: "Contract", show: Contract },
  market: { title: "Markets", one: "Market", show: Market },
  game: { title: "Games", one: "Game tree", show: Game },
  layers: { title: "Layers", one: "Layers", show: Layers },
  pipeline: { title: "Pipelines", one: "Pipeline", show: Pipeline },
};
const LISTED = 200;

export function DecisionsPage({ app, store }) {
  const state = app.decisions;
  const [, again] = useState(0);
  const change = (members) => { Object.assign(state, members); again((value) => value + 1); };
  const pictures = [...store.decisions.values()].filter((each) => KINDS[each.kind]).reverse();
  const pipes = pictures.filter((each) => each.kind === "pipeline");
  const all = pictures.filter((each) => each.kind !== "pipeline").concat(joinPipelines(pipes))
    .sort((a, b) => b.at - a.at);
  const kinds = Object.keys(KINDS).filter((kind) => all.some((each) => each.kind === kind));
  const listed = all.filter((each) => (state.kind === "all" || each.kind === state.kind) &&
    (!state.text || `${each.id} ${each.what}`.includes(state.text)));
  if (!state.pinned || !all.some((each) => keyOf(each) === state.chosen)) {
    if (!listed.some((each) => keyOf(each) === state.chosen)) state.chosen = listed[0] && keyOf(listed[0]);
  }
  const chosen = all.find((each) => keyOf(each) === state.chosen);
  if (!all.length) {
    return html`<div class="page"><${Empty} title="No decision yet">Councils, contract nets, markets, games,
      layers and pipelines appear here as their messages are overheard.<//></div>`;
  }
  return html`<div class="page decisions-page">
    <div class="tools">
      <${Segments} label="Kind" value=${state.kind} onChange=${(kind) => change({ kind })}
        options=${[["all", "All"], ...kinds.map((kind) => [kind, KINDS[kind].title])]} />
      <${Field} label="Find" value=${state.text} width="150px" onInput=${(text) => change({ text })} />
      <span class="grow"></span><span class="note held">${count(listed.length)} of ${count(all.length)}</span>
    </div>
    <div class="decisions">
      <nav class="decision-list" aria-label="Decisions">${listed.slice(0, LISTED).map((each, index) => html`
        <button key=${index} aria-current=${keyOf(each) === state.chosen} onClick=${() =>
          change({ chosen: keyOf(each), pinned: true })}>
          <b>${oneLine(each.what) || oneLine(each.id)}</b>
          <small>${KINDS[each.kind].one} · ${clock(each.at)} · ${stateWord(each)}</small></button>`)}
        ${listed.length > LISTED && html`<p class="note">${count(listed.length - LISTED)} older ones are not listed.</p>`}
      </nav>
      ${chosen && html`<article class="decision" tabindex="0" role="region" aria-label="The chosen decision">
        <h2 class="title">${oneLine(chosen.what) || oneLine(chosen.id)}</h2>
        <p class="note">${KINDS[chosen.kind].one} ${oneLine(chosen.id)}, ${clock(chosen.at)}, ${stateWord(chosen)}</p>
        ${chosen.why && html`<p class="bad">${visible(chosen.why)}</p>`}
        <${KINDS[chosen.kind].show} key=${state.chosen} app=${app} store=${store} decision=${chosen} /></article>`}
    </div>
  </div>`;
}

function keyOf(decision) {
  return `${decision.kind}\n${decision.id}`;
}

export function stateWord(decision) {
  if (decision.state) return oneLine(decision.state);
  return decision.kind === "layers" || decision.kind === "pipeline" ? "running" : "open";
}
