// Lifelines, filters, decisions and texts, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Feed } from "../../src/feed.js";
import { Messages } from "../../src/state/messages.js";
import { Lanes, planLanes } from "../../src/sequence/lanes.js";
import { Selection, messageTest, nameTest } from "../../src/sequence/selection.js";
import { joinPipelines, reduce } from "../../src/decisions/reduce.js";
import { bytes, clock, count, oneLine, seconds, shortType, visible } from "../../src/parts/text.js";
import { outcomeOf } from "../../src/parts/outcomes.js";

const traffic = (...names) => new Map(names.map((name, index) => [name, index + 1]));
const keys = (lanes) => lanes.map((lane) => lane.key);

test("each agent has a lifeline while there is room, in the order of appearance", () => {
  assert.deepEqual(keys(planLanes(traffic("b", "a/x", "a/y", "c"), 8)), ["b", "a/x", "a/y", "c"]);
});

test("agents with a prefix share a lifeline when there is no room", () => {
  const lanes = planLanes(traffic("b", "a/x", "a/y", "a/z"), 3);
  assert.deepEqual(keys(lanes), ["b", "a/"]);
  assert.equal(lanes[1].members, 3);
  assert.deepEqual(keys(planLanes(traffic("b", "a/x", "a/y"), 3, new Set(), new Set(["a/"]))), ["b", "a/"]);
});

test("two thousand agents without prefixes share a last lifeline", () => {
  const names = Array.from({ length: 2000 }, (_, index) => `n${index}`);
  const lanes = planLanes(traffic(...names), 8);
  assert.equal(lanes.length, 8);
  assert.equal(lanes[7].label, "others");
  assert.equal(lanes.reduce((sum, lane) => sum + lane.members, 0), 2000);
});

test("each name has the lifeline of its longest prefix", () => {
  const lanes = new Lanes(planLanes(traffic("a/x/1", "a/x/2", "a/y", "b"), 3));
  assert.equal(lanes.of("a/x/1"), lanes.of("a/x/2"));
  assert.equal(lanes.of("unknown"), -1);
  assert.notEqual(lanes.of("b"), -1);
});

test("hostile names have lifelines, too", () => {
  const names = ["", "/", "//", "__proto__", "a/".repeat(300), "constructor"];
  const lanes = new Lanes(planLanes(traffic(...names), 20));
  for (const name of names) assert.ok(lanes.of(name) >= 0, JSON.stringify(name));
});

test("patterns match whole names and words match parts, without regular expressions", () => {
  assert.ok(nameTest("lab/*")("lab/one"));
  assert.ok(!nameTest("lab/*")("the lab/one"));
  assert.ok(nameTest("*a*b*")("xxaxxbxx"));
  assert.ok(!nameTest("a*a")("a"));
  assert.ok(nameTest("one two")("the two"));
  assert.ok(!nameTest("(a+)+$")("a".repeat(50)));
  assert.equal(nameTest("  "), null);
  assert.ok(messageTest({ text: "OAK" })({ text: "of oak" }));
  assert.ok(messageTest({ trouble: true })({ outcome: "expired" }));
});

test("a selection follows messages, gaps and what is let go", () => {
  const messages = new Messages(100);
  const selection = new Selection(messages);
  selection.setFilter({ names: "even" });
  for (let n = 1; n <= 500; n += 1) {
    messages.append([{ n, from: n % 2 ? "odd" : "even", to: "x", at: n }]);
    selection.update();
  }
  messages.gap({ at: 600, missed: 1, why: "rate" });
  selection.update();
  assert.ok(selection.rows.length <= 54 && selection.rows.at(-1).gap);
  assert.ok(selection.rows.every((row) => row.gap || row.from === "even"));
  assert.equal(selection.search("even", selection.rows.length, -1), selection.rows.length - 2);
  selection.setFilter({});
  assert.equal(selection.rows, messages.rows);
});

const records = (kind, ...steps) => steps.reduce((picture, [what, more], index) =>
  reduce(picture, { kind, id: "1", at: index, n: index + 1, what, ...more }), undefined);

test("a council's tie and its decision are drawn from its messages", () => {
  const agenda = { subject: "wood", to: "a", round: 1, alternatives: ["oak", "ash"] };
  const tie = records("council", ["agenda", agenda], ["agenda", { ...agenda, to: "b" }],
    ["vote", { from: "a", ballot: ["oak"], tally: [["oak", 1]] }],
    ["decision", { decided: false, tied: ["oak", "ash"], why: "equal" }]);
  assert.deepEqual([tie.what, tie.members, tie.ties, tie.state], ["wood", ["a", "b"], ["oak", "ash"], "tie"]);
});

test("a contract's bids, refusals and award are drawn from its messages", () => {
  const net = records("contract", ["announced", { client: "c", bidder: "x", task: "cut" }],
    ["bid", { client: "c", bidder: "x", amount: 4 }], ["bid", { client: "c", bidder: "x", amount: 3 }],
    ["decline", { client: "c", bidder: "y" }], ["award", { client: "c", bidder: "x" }]);
  assert.deepEqual([net.client, net.bids.length, net.bids[0].value, net.refusals, net.awarded],
    ["c", 1, 3, ["y"], ["x"]]);
});

test("a record that came before is not counted again", () => {
  const once = records("layers", ["suppresses", { from: "a", to: "b" }]);
  const events = once.events.length;
  assert.equal(reduce(once, { kind: "layers", id: "1", at: 0, n: 1, what: "suppresses", from: "a", to: "b" }).events.length, events);
  assert.equal(reduce(undefined, { kind: "__proto__", id: "1", n: 1 }).kind, "__proto__");
});

test("connections of stages are joined into a pipeline, also when they form a circle", () => {
  const pipe = (from, to, fill) => ({ kind: "pipeline", id: `${from} > ${to}`, from, to, fill, at: 1, state: "running" });
  const [line] = joinPipelines([pipe("b", "c", 30), pipe("a", "b", 2)]);
  assert.deepEqual(line.stages.map((stage) => stage.name), ["a", "b", "c"]);
  assert.equal(line.stages[2].share, 1);
  assert.equal(joinPipelines([pipe("a", "b", 1), pipe("b", "a", 1)])[0].stages.length, 2);
});

test("a socket that breaks is opened again, and its requests fail with a sentence", async () => {
  const sockets = [];
  const states = [];
  const feed = new Feed({ url: "x", onFrame: () => {}, onState: (state) => states.push(state),
    open: () => { const socket = { readyState: 1, sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close: () => socket.onclose({}) }; sockets.push(socket); return socket; },
    later: (action, pause) => { assert.ok(pause <= 5000); if (sockets.length < 9) action(); } });
  feed.connect();
  const asked = feed.ask("agent", { name: "a" });
  sockets[0].onclose({});
  await assert.rejects(asked, /broke/);
  const answered = feed.ask("why", { name: "a" });
  sockets[1].onmessage({ data: JSON.stringify({ is: "reply", id: sockets[1].sent[0].id, error: "no" }) });
  await assert.rejects(answered, /^Error: no$/);
  sockets[1].onmessage({ data: "{" });
  assert.equal(sockets.length, 3);
  assert.ok(states.includes("lost"));
});

test("numbers and times are short and exact", () => {
  assert.deepEqual([0.0000021, 0.0021, 0.5, 3.25, 75, 3700].map(seconds),
    ["2 µs", "2.1 ms", "500 ms", "3.3 s", "1 min 15 s", "1 h 01 min"]);
  assert.equal(clock(3661.5), "1:01:01.500");
  assert.deepEqual([0, 999, 1234567, 0.0123].map(count), ["0", "999", "1.23\u202fM", "0.0123"]);
  assert.equal(bytes(1536), "1.5 KiB");
  assert.equal(shortType("shop/order/v1"), "order");
});

test("marks that turn the direction of text and controls are shown, not obeyed", () => {
  assert.equal(visible("a\u202eb"), "a⟨202e⟩b");
  assert.equal(visible("\u001b[31m"), "␛[31m");
  assert.equal(oneLine("a\r\nb\u2028c"), "a b c");
  assert.equal(outcomeOf({ outcome: "constructor" }), "undeliverable");
});
