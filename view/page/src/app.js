// The page: wires the feed, the store and the five pages together.
import { Boundary, html, render, useEffect, useState } from "./parts/html.js";
import { forgetTheme } from "./parts/controls.js";
import { Feed } from "./feed.js";
import { Store } from "./state/store.js";
import { Head } from "./head.js";
import { SequencePage, SequenceState } from "./sequence/page.js";
import { show } from "./sequence/canvas.js";
import { SocietyPage } from "./society/page.js";
import { AgentPage } from "./society/agent.js";
import { LoadPage } from "./load/page.js";
import { DecisionsPage } from "./decisions/page.js";
import { TimePage } from "./time/page.js";

const PAGES = { sequence: SequencePage, society: SocietyPage, agent: AgentPage, load: LoadPage,
  decisions: DecisionsPage, time: TimePage };
const TITLES = { sequence: "Sequence of messages", society: "Society", load: "Load and metrics",
  decisions: "Decisions", time: "Time machine" };
const HISTORY_AT_ONCE = 1000;

function feedAddress() {
  const address = new URL("feed", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return address.href;
}

class App {
  constructor() {
    this.store = new Store();
    this.sequence = new SequenceState(this.store);
    this.society = { view: "map", names: "", waiting: false };
    this.load = { view: "series", names: "" };
    this.decisions = { kind: "all", text: "", chosen: null, pinned: false };
    this.time = { sentence: "" };
    this.selected = null;
    this.show = show;
    this.feed = new Feed({
      url: feedAddress(),
      onFrame: (frame) => this.take(frame),
      onState: (state, sentence) => this.connection(state, sentence),
    });
  }

  connection(state, sentence) {
    this.store.setConnection(state, sentence);
    if (state !== "lost") return;
    // A server that refuses the page answers with a sentence; one that is gone gives none.
    fetch(location.pathname, { cache: "no-store" }).then(async (answer) => {
      if (answer.status !== 401 && answer.status !== 403) return;
      const text = (await answer.text()).slice(0, 300);
      this.store.setConnection("lost", text.startsWith("<") ? "The server refuses this page. Open the address that coracle view prints." : text);
    }, () => {});
  }

  take(frame) {
    const all = frame.is === "batch" && frame.all && this.store.recorded;
    this.store.take(frame);
    if (frame.is === "hello" || all) this.greet();
  }

  // After each connection: the selection that the server forgot, and the past that it still holds.
  async greet() {
    if (this.selected) this.select(this.selected);
    const limit = this.store.messages.limit;
    const turn = this.turn = (this.turn ?? 0) + 1;
    let before;
    for (let have = 0; have < limit && turn === this.turn;) {
      let past;
      try {
        past = await this.ask("history", { before, count: HISTORY_AT_ONCE });
      } catch {
        return;
      }
      const messages = past?.messages ?? [];
      if (!messages.length || turn !== this.turn) return;
      have += messages.length;
      before = Math.min(...messages.map((message) => message.n));
      const put = this.fill(messages);
      this.store.changed();
      if (!past.more || put === 0) return;
      await new Promise((resume) => setTimeout(resume, 30));
    }
  }

  // Puts messages of the past where they belong; returns how many were new.
  fill(messages) {
    const store = this.store.messages;
    const newer = messages.filter((message) => message.n > store.last);
    if (newer.length && store.last) {
      store.append(newer.sort((a, b) => a.n - b.n));  // those that were sent while the page was away
    }
    return store.prepend(messages) + newer.length;
  }

  ask(what, members) {
    return this.feed.ask(what, members);
  }

  select(filter) {
    const list = (text) => String(text ?? "").split(/[\s,]+/).filter(Boolean);
    // All messages are here unless the society is too fast for the feed; only then the server must
    // choose. Those that it left out are a gap.
    const narrows = Object.values(filter).some(Boolean);
    if (!this.store.messages.folded && !this.selected) return;
    if (!narrows && this.selected) {
      this.store.messages.gap({ at: this.store.now, missed: -1, why: "narrowed" });
    }
    this.selected = narrows ? filter : null;
    const members = { names: list(filter.names), types: list(filter.types),
      conversation: filter.conversation || undefined, text: filter.text || undefined };
    this.ask("select", members).catch(() => {});
  }

  link(page, name) {
    return `#/${page}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
  }

  go(page, name) {
    location.hash = this.link(page, name);
  }

  redraw() {
    this.store.changedNow();
  }
}

function route() {
  const [, page, ...rest] = location.hash.split("/");
  let name = rest.join("/");
  try {
    name = decodeURIComponent(name);
  } catch {
    name = "";
  }
  return { page: Object.hasOwn(PAGES, page) ? page : "sequence", name };
}

function Root({ app }) {
  const [place, setPlace] = useState(route());
  const [, again] = useState(0);
  useEffect(() => {
    const moved = () => setPlace(route());
    const themed = () => { forgetTheme(); again((value) => value + 1); };
    const dark = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("hashchange", moved);
    addEventListener("themechange", themed);
    dark.addEventListener("change", themed);
    const leave = app.store.subscribe(() => again((value) => value + 1));
    const ticking = setInterval(() => again((value) => value + 1), 1000);
    return () => {
      removeEventListener("hashchange", moved);
      removeEventListener("themechange", themed);
      dark.removeEventListener("change", themed);
      clearInterval(ticking);
      leave();
    };
  }, []);
  useEffect(() => { document.querySelector("main")?.scrollTo(0, 0); }, [place.page, place.name]);
  const Page = PAGES[place.page];
  return html`<a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      document.getElementById("main").focus();
    }}>Skip to the content</a>
    <${Head} app=${app} store=${app.store} page=${place.page} />
    <main id="main" tabindex="-1">
      ${place.page !== "agent" && html`<h1 class="hidden">${TITLES[place.page]}</h1>`}<${Boundary} key=${place.page} what="This page"><${Page}
      app=${app} store=${app.store} name=${place.name} /><//></main>`;
}

const app = new App();
// Tests read what the page measures of itself.
window.coracleView = { frames: () => app.sequence.position.frameMs, store: app.store };
render(html`<${Root} app=${app} />`, document.getElementById("app"));
app.feed.connect();
