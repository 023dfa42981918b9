// The head of each page: society, pages, connection, theme, and the line that says what is stuck.
import { html, useState } from "./parts/html.js";
import { count, oneLine, plural, seconds, short, visible } from "./parts/text.js";

const PAGES = [["sequence", "Sequence"], ["society", "Society"], ["load", "Load"], ["decisions", "Decisions"],
  ["time", "Time machine"]];
const THEMES = ["system", "light", "dark"];

export function Head({ app, store, page }) {
  const hello = store.hello;
  const state = store.connection.state;
  const current = page === "agent" ? "society" : page;
  return html`<header class="head">
    <div class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 16h22c0 6-5 10-11 10S5 22 5 16z" />
        <path class="mast" d="M16 5v9" /></svg>
      <b>${hello ? oneLine(hello.society ?? "a society") : "coracle view"}</b>
      <span class="note realization">${hello ? oneLine(hello.realization ?? "") : ""}</span></div>
    <nav aria-label="Pages">${PAGES.map(([key, title]) => html`<a href=${app.link(key)}
      aria-current=${key === current ? "page" : undefined}>${title}</a>`)}</nav>
    <span class=${`connection ${state}`} role="status">${state === "open"
      ? store.recorded ? "recording" : "live" : state === "lost" ? "not connected" : "connecting"}</span>
    <${ThemeSwitch} />
  </header>
  <${Trouble} app=${app} store=${store} />
  ${state === "lost" && html`<p class="banner" role="alert">${visible(store.connection.sentence)} The picture below is from before.</p>`}`;
}

function ThemeSwitch() {
  const [choice, setChoice] = useState(stored());
  const next = THEMES[(THEMES.indexOf(choice) + 1) % THEMES.length];
  const change = () => {
    try {
      localStorage.setItem("theme", next);
    } catch { /* a browser that keeps nothing: the choice lasts until the page is left */ }
    apply(next);
    setChoice(next);
    dispatchEvent(new Event("themechange"));
  };
  return html`<button class="theme" onClick=${change} aria-label=${`Colours: ${choice}. Switch to ${next}`}>
    <span aria-hidden="true">${{ system: "◐", light: "☀", dark: "☾" }[choice]}</span></button>`;
}

function stored() {
  try {
    const theme = localStorage.getItem("theme");
    return THEMES.includes(theme) ? theme : "system";
  } catch {
    return "system";
  }
}

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
apply(stored());

// The line on every page: who waits longest and for whom, circles, and what went wrong.
function Trouble({ app, store }) {
  const { waiting, circles } = store.waits();
  const outcomes = store.messages.outcomes;
  const errors = [...store.agents.values()].reduce((sum, agent) => sum + (agent.errors ?? 0), 0);
  const counters = [["Errors", errors], ["Refused", outcomes.get("refused") ?? 0], ["Expired", outcomes.get("expired") ?? 0],
    ["Undelivered", (outcomes.get("undeliverable") ?? 0) + (outcomes.get("custodian_lost") ?? 0)],
    ["Dropped", outcomes.get("dropped") ?? 0], ["Missed", store.messages.missed]];
  return html`<section class="trouble" aria-label="What is stuck">
    <div class="waiting-line">${waitingText(app, store, waiting, circles)}</div>
    <dl class="counters">${counters.map(([name, value]) => html`<div class=${value ? "some" : ""}>
      <dt>${name}</dt><dd>${short(value)}</dd></div>`)}</dl>
  </section>`;
}

function waitingText(app, store, waiting, circles) {
  if (!store.hello) return html`<span class="note">The society is not there yet. The page waits for it.</span>`;
  const overhear = store.may("overhear");
  if (!overhear.allowed && !store.agents.size) return html`<span class="note">${visible(overhear.why)}</span>`;
  if (circles.length) {
    const circle = circles[0];
    return html`<span class="mark stuck" aria-hidden="true">⟲</span> <b class="bad">Circle of waits:</b> <span>${
      circle.concat(circle[0]).slice(0, 6).map((name, index) => html`${index ? html`<span aria-label="waits for"> → </span>` : ""}<a href=${app.link("agent", name)}>${oneLine(name)}</a>`)}
      <span class="note">${` for ${seconds(store.time() - Math.max(...circle.map((name) => store.agents.get(name)?.waits?.since ?? 0)))}${
        circles.length > 1 ? `; ${plural(circles.length - 1, "more circle")}` : ""}`}</span></span>`;
  }
  if (!waiting.length) return html`<span class="mark calm" aria-hidden="true">✓</span> <span>Nobody waits for another agent.</span>`;
  const longest = waiting[0];
  return html`<span class="mark waits" aria-hidden="true">…</span> <b>Waiting longest:</b> <span><a href=${app.link("agent", longest.name)}>${oneLine(longest.name)}</a>
    ${" "}for <a href=${app.link("agent", longest.for[0])}>${oneLine(longest.for[0])}</a>${longest.for.length > 1 ? ` and ${count(longest.for.length - 1)} more` : ""}
    <span class="note">${` ${longest.what ? `${oneLine(longest.what)}, ` : ""}${seconds(store.time() - longest.since)}${
      waiting.length > 1 ? `; ${plural(waiting.length - 1, "other waits", "others wait")}` : ""}`}</span></span>`;
}
