// All that the page knows, and the frames of the feed that change it.
import { Messages } from "./messages.js";
import { Series } from "./series.js";
import { reduce } from "../decisions/reduce.js";
import { survey } from "./waits.js";

const REDRAW_MS = 200;
const DECISIONS = 500;
const ACTS = 500;
const PANELS = 50;

export class Store {
  constructor({ clock, later } = {}) {
    this.clock = clock ?? (() => performance.now());
    this.later = later ?? ((action, ms) => setTimeout(action, ms));
    this.listeners = new Set();
    this.frames = new Set();  // called at once after each frame; canvases mark themselves to be drawn
    this.planned = false;
    this.connection = { state: "connecting", sentence: "Connecting" };
    this.wasLost = false;
    this.hello = null;
    this.reset();
  }

  reset() {
    this.messages = new Messages(Math.min(100000, this.hello?.held ?? 100000));
    this.series = new Series();
    this.agents = new Map();
    this.nodes = new Map();
    this.groups = [];
    this.decisions = new Map();
    this.panels = [];
    this.panelData = new Map();
    this.holds = [];
    this.acts = [];
    this.player = null;
    this.now = 0;
    this.heardAt = this.clock();
    this.societyVersion = 0;
    this.surveyed = -1;
    this.found = { waiting: [], circles: [] };
  }

  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Tells the components, at most once in REDRAW_MS; canvases are told at once.
  changed() {
    for (const frame of this.frames) frame();
    if (this.planned) return;
    this.planned = true;
    this.later(() => {
      this.planned = false;
      for (const listener of [...this.listeners]) listener();
    }, REDRAW_MS);
  }

  changedNow() {
    for (const frame of this.frames) frame();
    for (const listener of [...this.listeners]) listener();
  }

  setConnection(state, sentence) {
    this.connection = { state, sentence };
    this.wasLost ||= state === "lost";
    this.changedNow();
  }

  // The present time of the society in seconds since its epoch.
  time() {
    if (this.player) return this.player.at;
    if (this.connection.state !== "open") return this.now;
    return this.now + (this.clock() - this.heardAt) / 1000;
  }

  heard(now) {
    if (typeof now !== "number") return;
    this.now = now;
    this.heardAt = this.clock();
  }

  may(right) {
    const value = this.hello?.rights?.[right];
    if (value === true) return { allowed: true };
    const why = typeof value === "string" && value ? value : "The server has not granted this.";
    return { allowed: false, why };
  }

  get recorded() {
    return this.hello?.source === "recording";
  }

  // Who waits for whom; computed once for each change of the society.
  waits() {
    if (this.surveyed !== this.societyVersion) {
      this.found = survey(this.agents);
      this.surveyed = this.societyVersion;
    }
    return this.found;
  }

  take(frame) {
    const handler = HANDLERS[frame.is];
    if (!handler) return;
    handler(this, frame);
    this.changed();
  }
}

const HANDLERS = {
  __proto__: null,
  hello(store, frame) {
    const before = store.hello;
    const same = before && before.epoch === frame.epoch && before.society === frame.society;
    const lostAt = store.now;
    store.hello = frame;
    if (!same) {
      store.reset();
    } else if (store.wasLost) {
      store.messages.gap({ at: frame.now ?? lostAt, missed: -1, why: "connection" });
    }
    store.wasLost = false;
    store.heard(frame.now);
    if (frame.society) document.title = `${frame.society} · coracle view`;
  },
  batch(store, frame) {
    store.heard(frame.now);
    const messages = store.messages;
    if (frame.all && store.recorded) messages.clear();
    if (frame.messages) messages.append(frame.messages);
    if (frame.stages) messages.stages(frame.stages);
    for (const gap of frame.gaps ?? []) messages.gap(gap);
    if (frame.folded) messages.addFolded(frame.now ?? store.now, frame.folded, frame.pairs);
  },
  society(store, frame) {
    if (frame.all) {
      store.agents.clear();
      store.nodes.clear();
    }
    for (const agent of frame.agents ?? []) store.agents.set(agent.name, agent);
    for (const name of frame.gone ?? []) store.agents.delete(name);
    if (frame.nodes) {
      store.nodes.clear();
      for (const node of frame.nodes) store.nodes.set(String(node.lease), node);
    }
    if (frame.groups) store.groups = frame.groups;
    store.societyVersion += 1;
  },
  metrics(store, frame) {
    store.series.describe(frame.metrics ?? []);
  },
  series(store, frame) {
    store.series.add(frame.at, frame.values ?? []);
  },
  decision(store, frame) {
    const key = `${frame.kind}\n${frame.id}`;
    const picture = reduce(store.decisions.get(key), frame);
    store.decisions.delete(key);
    store.decisions.set(key, picture);
    if (store.decisions.size > DECISIONS) {
      store.decisions.delete(store.decisions.keys().next().value);
    }
  },
  panels(store, frame) {
    if (frame.panels) store.panels = frame.panels.slice(0, PANELS);
    const panel = frame.panel;
    if (panel && (store.panelData.size < PANELS || store.panelData.has(panel.id))) {
      store.panelData.set(panel.id, panel);
    }
  },
  held(store, frame) {
    store.holds = frame.holds ?? [];
  },
  player(store, frame) {
    if (store.player && frame.at < store.player.at - 1e-9) {  // it went back
      store.messages.clear();
      store.decisions.clear();
    }
    store.player = frame;
    store.heard(frame.at);
  },
  acts(store, frame) {
    store.acts = store.acts.concat(frame.acts ?? []).slice(-ACTS);
  },
};
