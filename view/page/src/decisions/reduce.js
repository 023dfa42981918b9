// Makes the picture of a decision from the records of the feed, one record at a time. Pure.

const MOST = 500;  // of each list in a picture

// The picture after `record`. A record that is already in it (a lower number) changes nothing.
export function reduce(before, record) {
  if (before && record.n !== undefined && before.n !== undefined && record.n <= before.n) return before;
  const picture = before ?? { kind: record.kind, id: record.id, what: "", state: "open" };
  picture.at = record.at;
  picture.n = record.n ?? picture.n;
  REDUCERS[record.kind]?.(picture, record);
  return picture;
}

const REDUCERS = {
  __proto__: null, council, contract, market, game, layers, pipeline,
};

function push(list, value) {
  list.push(value);
  if (list.length > MOST) list.splice(0, list.length - MOST);
}

function addOnce(list, value) {
  if (value && list.length < MOST && !list.includes(value)) list.push(value);
}

// Replaces the entry of the same agent, or adds one.
function put(list, entry) {
  const at = list.findIndex((each) => each.from === entry.from);
  if (at >= 0) list[at] = entry;
  else push(list, entry);
}

function council(picture, record) {
  picture.members ??= [];
  picture.ballots ??= [];
  if (record.subject) picture.what = record.subject;
  if (record.what === "call" || record.what === "agenda") addOnce(picture.members, record.to);
  if (record.what === "agenda") {
    if (picture.round !== record.round) picture.ballots = [];
    picture.round = record.round;
    picture.tally = (record.alternatives ?? []).map((each) => [each, 0]);
    picture.state = "voting";
    delete picture.ties;
  }
  if (record.what === "vote") {
    put(picture.ballots, { from: record.from, choice: (record.ballot ?? []).join(" > "), at: record.at });
    picture.tally = record.tally ?? picture.tally;
  }
  if (record.what === "decision") {
    picture.winner = record.decided ? record.winner : undefined;
    picture.ties = record.decided ? undefined : record.tied;
    picture.why = record.why;
    picture.state = record.decided ? "decided" : record.tied ? "tie" : "not decided";
  }
}

function contract(picture, record) {
  picture.client = record.client ?? picture.client;
  picture.bids ??= [];
  picture.refusals ??= [];
  picture.steps ??= [];
  picture.awarded ??= [];
  if (record.task || record.subject) picture.what = [record.task, record.subject].filter(Boolean).join(": ");
  const bidder = record.bidder;
  const bid = picture.bids.find((each) => each.from === bidder);
  const state = (word) => { if (bid) bid.state = word; };
  const steps = {
    __proto__: null,
    bid: () => put(picture.bids, { from: bidder, value: record.amount, at: record.at }),
    decline: () => addOnce(picture.refusals, bidder),
    award: () => { addOnce(picture.awarded, bidder); picture.state = "awarded"; },
    acceptance: () => { state("accepted"); picture.state = "accepted"; },
    withdrawal: () => { state("withdrawn"); picture.state = "withdrawn"; },
    rejection: () => state("rejected"),
    termination: () => { state("terminated"); picture.state = "terminated"; },
    report: () => { picture.state = record.final ? "finished" : "under way"; state(picture.state); },
    settled: () => { state("settled"); picture.state = "settled"; },
    released: () => state("released"),
  };
  steps[record.what]?.();
  const detail = record.why || record.text || "";
  push(picture.steps, { at: record.at, what: `${record.what} ${bidder ?? ""}${detail ? `: ${detail}` : ""}` });
}

function market(picture, record) {
  picture.prices ??= [];
  picture.traders ??= [];
  picture.what = picture.what || "market";
  if (record.what === "call") {
    picture.what = record.market ? `market of ${record.market}` : picture.what;
    for (const name of record.traders ?? []) {
      if (!picture.traders.some((each) => each.name === name)) push(picture.traders, { name });
    }
    if (!picture.prices.length) {
      for (const [good, price] of record.prices ?? []) push(picture.prices, [record.at, good, price]);
    }
  }
  if (record.what === "clearing") {
    push(picture.prices, [record.at, record.good, record.price]);
    picture.excess = record.excess;
    picture.round = record.round;
  }
  if (record.what === "result" || record.what === "trades") {
    picture.state = record.converged ? "converged" : "not converged";
    picture.clears = record.converged
      ? (record.prices ?? []).map(([good, price]) => `${good} ${Number(price).toPrecision(4)}`).join(", ") : undefined;
    picture.why = record.why;
  }
}

function game(picture, record) {
  picture.nodes ??= new Map();
  picture.worth ??= new Map();
  picture.what = picture.what || `plan of ${record.arbiter ?? ""}`;
  if (record.what === "draft") {
    for (const each of record.nodes ?? []) {
      if (picture.nodes.size < MOST) {
        picture.nodes.set(each.node, { id: each.node, parent: each.parent, move: each.move, value: each.cost });
      }
    }
    picture.state = "negotiating";
  }
  if (record.what === "critique") {
    for (const each of record.judgements ?? []) {
      const node = picture.nodes.get(each.node);
      if (node) Object.assign(node, { value: each.score, pruned: !each.feasible });
    }
  }
  if (record.what === "offer") {
    picture.plan = record.moves;
    picture.value = record.cost;
  }
  if (record.what === "outcome") {
    picture.state = record.agreed ? "agreed" : "not agreed";
    picture.plan = record.moves ?? picture.plan;
    picture.why = record.why;
  }
  picture.tree = [...picture.nodes.values()].filter((node) => node.id !== undefined);
  picture.best = pathOf(picture.tree, picture.plan ?? []);
}

// The ids of the nodes along the moves of a plan.
function pathOf(tree, plan) {
  const ids = [];
  let here = tree.find((node) => !tree.some((other) => other.id === node.parent && other !== node));
  if (!here) return ids;
  ids.push(here.id);
  const moves = [...plan];
  if (here.move && here.move === moves[0]) moves.shift();
  for (const move of moves) {
    const next = tree.find((node) => node.parent === here.id && node !== here && node.move === move);
    if (!next) break;
    ids.push(next.id);
    here = next;
  }
  return ids;
}

const SHORT = 0.25;  // seconds that a single signal is drawn

function layers(picture, record) {
  picture.layers ??= [];
  picture.events ??= [];
  picture.what = "layers";
  picture.state = "running";
  const layer = (name) => {
    if (name && picture.layers.length < 40 && !picture.layers.some((each) => each.name === name)) {
      picture.layers.push({ name, level: picture.layers.length });
    }
  };
  layer(record.to);
  layer(record.from);
  const until = record.at + SHORT;
  push(picture.events, { at: record.at, until, layer: record.from, does: "acts" });
  if (record.what === "suppresses" || record.what === "inhibits") {
    const does = record.what === "suppresses" ? "suppressed" : "inhibited";
    push(picture.events, { at: record.at, until, layer: record.to, does, by: record.from });
  }
}

function pipeline(picture, record) {
  picture.from = record.from;
  picture.to = record.to;
  picture.fill = record.fill ?? picture.fill ?? 0;
  picture.state = record.what === "failed" ? "failed" : record.what === "end" || record.what === "done" ? "ended" : "running";
  picture.why = record.why ?? picture.why;
  picture.counts ??= [];
  if (record.sent !== undefined) {
    push(picture.counts, [record.at, record.sent]);
    picture.sent = record.sent;
  }
}

// Connections between stages, joined into whole pipelines: [{kind, id, what, at, stages}].
export function joinPipelines(connections) {
  const group = new Map();  // name: the set of names that belong together
  for (const { from, to } of connections) {
    const joined = new Set([from, to, ...(group.get(from) ?? []), ...(group.get(to) ?? [])]);
    for (const name of joined) group.set(name, joined);
  }
  return [...new Set(group.values())].map((names) => {
    const own = connections.filter((each) => names.has(each.from));
    const order = inOrder([...names], own);
    const stages = order.map((name) => stageOf(name, own));
    const failed = own.find((each) => each.state === "failed");
    return {
      kind: "pipeline", id: order[0], what: `${order[0]} … ${order[order.length - 1]}`,
      at: Math.max(...own.map((each) => each.at)), n: Math.max(...own.map((each) => each.n ?? 0)), stages,
      state: failed ? "failed" : own.every((each) => each.state === "ended") ? "ended" : "running",
      why: failed?.why,
    };
  });
}

function stageOf(name, connections) {
  const into = connections.filter((each) => each.to === name);
  const out = connections.filter((each) => each.from === name);
  const queue = into.reduce((sum, each) => sum + each.fill, 0);
  const most = Math.max(16, ...connections.map((each) => each.fill));
  const counted = out[0] ?? into[0];
  return { name, queue, share: into.length ? queue / most : 0, done: counted?.sent, rate: rateOf(counted?.counts) };
}

function rateOf(counts) {
  if (!counts || counts.length < 2) return undefined;
  const [first, last] = [counts[Math.max(0, counts.length - 50)], counts[counts.length - 1]];
  return last[0] > first[0] ? (last[1] - first[1]) / (last[0] - first[0]) : undefined;
}

// Sources first; a circle is broken where it is met.
function inOrder(names, connections) {
  const order = [];
  const left = new Set(names);
  while (left.size) {
    const next = [...left].find((name) => !connections.some((each) => each.to === name && left.has(each.from) && each.from !== name))
      ?? left.values().next().value;
    left.delete(next);
    order.push(next);
  }
  return order;
}
