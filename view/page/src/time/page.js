// Page 5: plays a recording, and replays it with one message changed.
import { html, useState } from "../parts/html.js";
import { Choice, Empty, Field } from "../parts/controls.js";
import { clock, count, oneLine, plural, shortType, visible } from "../parts/text.js";
import { OUTCOMES, outcomeOf } from "../parts/outcomes.js";
import { SequencePage } from "../sequence/page.js";

const SPEEDS = [["0.1", "0.1 ×"], ["0.5", "0.5 ×"], ["1", "1 ×"], ["2", "2 ×"], ["5", "5 ×"], ["20", "20 ×"], ["100", "100 ×"]];

export function TimePage({ app, store, name }) {
  const state = app.time;
  const [, again] = useState(0);
  const change = (members) => { Object.assign(state, members); again((value) => value + 1); };
  if (!store.recorded) {
    return html`<div class="page"><${Empty} title="This is a live society">
      The time machine plays recordings. Record a society with a recording file, then start
      ${" "}<code>coracle view --recording run.db</code>.<//></div>`;
  }
  const tell = (what, members) => app.ask(what, members).then(
    () => change({ sentence: "" }), (error) => change({ sentence: error.message }));
  return html`<div class="page time-page">
    <${Player} store=${store} state=${state} change=${change} tell=${tell} />
    ${state.sentence && html`<p class="whynot wide" role="status">${state.sentence}</p>`}
    ${name ? html`<${Replay} app=${app} store=${store} n=${Number(name)} />`
      : html`<${SequencePage} app=${app} store=${store} />`}
  </div>`;
}

function Player({ store, state, change, tell }) {
  const player = store.player ?? { at: 0, speed: 0 };
  const length = store.hello.length ?? 0;
  const playing = player.speed > 0 && !player.ended;
  const speed = state.speed ?? "1";
  return html`<div class="player" role="group" aria-label="Player">
    <div class="tools">
      <button onClick=${() => tell("seek", { error: -1 })}>◂ Error</button>
      <button onClick=${() => tell("step", { by: -1 })}>◂ Step</button>
      <button class="primary" onClick=${() => (playing ? tell("pause") : tell("play", { speed: Number(speed) }))}>
        ${playing ? "Pause" : "Play"}</button>
      <button onClick=${() => tell("step", { by: 1 })}>Step ▸</button>
      <button onClick=${() => tell("seek", { error: 1 })}>Error ▸</button>
      <${Choice} label="Speed" value=${speed} options=${SPEEDS} onChange=${(value) => {
        change({ speed: value });
        if (playing) tell("play", { speed: Number(value) });
      }} />
      <span class="grow"></span>
      <output class="held">${`${clock(player.at)} of ${clock(length)}${player.ended ? " (end)" : ""}`}</output>
    </div>
    <input class="timeline" type="range" min="0" max=${length || 1} step="any" value=${player.at}
      aria-label="Place in the recording" aria-valuetext=${`${clock(player.at)} of ${clock(length)}`}
      onChange=${(event) => tell("seek", { at: Number(event.target.value) })} />
  </div>`;
}

function Replay({ app, store, n }) {
  const row = store.messages.find(n);
  const [how, setHow] = useState("drop");
  const [text, setText] = useState(row?.text ?? "");
  const [delay, setDelay] = useState("1");
  const [state, setState] = useState(null);
  const run = async () => {
    setState({ busy: true });
    const members = { n, change: how };
    if (how === "delay") members.seconds = Number(delay);
    if (how === "text") members.text = text;
    try {
      setState({ result: await app.ask("replay", members) });
    } catch (error) {
      setState({ error: error.message });
    }
  };
  const objection = store.hello?.replay;
  if (objection !== true) {
    return html`<div class="replay"><div class="tools"><a class="button" href=${
        app.link('time')}>Back to the recording</a></div>
      <${Empty} title="This recording cannot be replayed here">${
        visible(objection ?? 'The server of this page has no replays.')}<//></div>`;
  }
  return html`<div class="replay">
    <div class="tools">
      <a class="button" href=${app.link("time")}>Back to the recording</a>
      <span>Message ${count(n)}: ${row ? `${oneLine(row.from)} → ${oneLine(row.to)} ${shortType(row.type)}` : "is not held any more"}</span>
      <${Choice} label="Replay with" value=${how} onChange=${setHow}
        options=${[["drop", "the message dropped"], ["delay", "the message delayed"], ["text", "another text"]]} />
      ${how === "delay" && html`<${Field} label="Seconds" value=${delay} onInput=${setDelay} width="80px" type="number" />`}
      ${how === "text" && html`<${Field} label="Text" value=${text} onInput=${setText} width="220px" type="text" />`}
      <button class="primary" disabled=${state?.busy} onClick=${run}>Replay</button>
      <span class="note" role="status">${state?.busy ? "The simulator replays it." : ""}</span>
    </div>
    ${state?.error && html`<p class="whynot wide">${state.error}</p>`}
    ${state?.result && html`<${Difference} result=${state.result} />`}
    ${!state && html`<${Empty} title="The difference appears here">The recording is played again in the
      simulator with this change. Both runs are shown side by side.<//>`}
  </div>`;
}

export function Difference({ result }) {
  const [only, setOnly] = useState(false);
  const lines = (result.lines ?? []).filter((line) => !only || !line.same);
  return html`<p class="tools"><b>${
      result.differs ? `${plural(result.differs, 'line differs', 'lines differ')}.` :
                       'Nothing differs.'}</b>
      <button class="toggle" aria-pressed=${only} onClick=${
      () => setOnly(!only)}>Only differences</button></p>
    ${
      result.note &&
      html`<p class="whynot wide" role="status">With the change, ${visible(result.note)}</p>`}
    <div class="plain-scroll" tabindex="0" role="region" aria-label="Difference of the two runs"><table class="plain difference">
      <thead><tr><th>Recorded</th><th><span class="hidden">Comparison</span></th><th>With the change</th></tr></thead>
      <tbody>${
      lines.slice(0, 1000).map(
          (line) => html`<tr class=${line.same ? '' : 'differs'}>
        <td>${
              line.before ? html`<${Line} message=${line.before} />` :
                            html`<span class="note">not sent</span>`}</td>
        <td>${
              line.same       ? '=' :
                  line.before ? line.after ? '≠' : '−' :
                                '+'}</td>
        <td>${
              line.after ? html`<${Line} message=${line.after} />` :
                           html`<span class="note">not sent</span>`}</td></tr>`)}</tbody>
    </table></div>`;
}

function Line({ message }) {
  return html`<time>${clock(message.at)}</time> ${visible(message.from)} → ${visible(message.to)}
    ${" "}<b>${shortType(message.type)}</b> ${oneLine(message.text)}
    <span class="note"> ${OUTCOMES[outcomeOf(message)].word}</span>`;
}
