// The page's state, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Messages } from "../../src/state/messages.js";
import { Series } from "../../src/state/series.js";
import { Store } from "../../src/state/store.js";
import { chainOf, findCircles, survey } from "../../src/state/waits.js";

const message = (n, more) => ({ n, at: n / 10, from: "a", to: "b", ...more });

test("messages are kept in order, once, within the limit", () => {
  const messages = new Messages(100);
  for (let n = 1; n <= 1000; n += 1) messages.append([message(n), message(n)]);
  assert.ok(messages.rows.length <= 105);
  assert.equal(messages.rows.at(-1).n, 1000);
  assert.equal(messages.find(1000).n, 1000);
  assert.equal(messages.find(1), null);
});

test("older messages are put in front, only as many as there is room for", () => {
  const messages = new Messages(10);
  messages.append([8, 9, 10].map((n) => message(n)));
  assert.equal(messages.prepend([1, 2, 3, 4, 5, 6, 7, 8].map((n) => message(n))), 7);
  assert.deepEqual(messages.rows.map((row) => row.n), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(messages.prepend([message(0.5)]), 0);
});

test("a reply is joined with its request, whichever comes first", () => {
  const messages = new Messages();
  messages.append([message(5, { answers: 2 })]);
  messages.prepend([message(2, { kind: "request" })]);
  assert.equal(messages.find(2).replied, 5);
  messages.append([message(6, { kind: "request" }), message(7, { answers: 6 })]);
  assert.equal(messages.find(6).replied, 7);
});

test("each outcome is counted once, also when a stage is repeated", () => {
  const messages = new Messages();
  messages.append([message(1)]);
  messages.stages([{ n: 1, outcome: "refused" }, { n: 1, outcome: "refused" }]);
  assert.equal(messages.outcomes.get("refused"), 1);
  assert.equal(messages.find(1).outcome, "refused");
});

test("gaps of one reason within a second are one row, and their numbers add up", () => {
  const messages = new Messages();
  messages.append([message(1)]);
  messages.gap({ at: 1, missed: 3, why: "rate" });
  messages.gap({ at: 1.5, missed: 4, why: "rate" });
  messages.gap({ at: 1.6, missed: -1, why: "rate" });
  assert.deepEqual(messages.rows.filter((row) => row.gap).map((row) => row.missed), [7, -1]);
  assert.equal(messages.missed, 7);
});

test("pairs are counted up to a limit", () => {
  const messages = new Messages();
  for (let index = 0; index < 30000; index += 1) messages.addPair(`a${index}`, "b", 1, 1);
  messages.addPair("a0", "b", 5, 10);
  assert.equal(messages.pairs.size, 20000);
  assert.equal(messages.pairs.get("a0\nb").count, 6);
});

const waiting = (edges) => new Map(Object.entries(edges).map(([name, targets], index) =>
  [name, { name, waits: { for: targets, since: index } }]));

test("a circle of waits is found and named, and stands before longer waits", () => {
  const agents = waiting({ old: ["idle"], a: ["b"], b: ["c"], c: ["a"], d: ["a"] });
  const { waiting: rows, circles } = survey(agents);
  assert.deepEqual(circles, [["a", "b", "c"]]);
  assert.equal(rows[0].name, "a");
  assert.deepEqual(chainOf("d", agents), { chain: ["d", "a", "b", "c", "a"], circle: true });
  assert.deepEqual(chainOf("old", agents), { chain: ["old", "idle"], circle: false });
});

test("circles are found in a chain of a hundred thousand without recursion", () => {
  const edges = new Map();
  for (let index = 0; index < 100000; index += 1) edges.set(`n${index}`, [`n${index + 1}`]);
  assert.deepEqual(findCircles(edges), []);
  edges.set("n100000", ["n99999"]);
  assert.deepEqual(findCircles(edges), [["n99999", "n100000"]]);
});

test("series keep their last points and a bounded number of lines", () => {
  const series = new Series();
  for (let at = 0; at < 5000; at += 1) series.add(at, [["m", "x", at], ["m", "y", -at]]);
  assert.ok(series.lines.get("m").get("x").at.length <= 720);
  assert.equal(series.last("m", "x"), 4999);
  const joined = series.joined("m", 1);
  assert.deepEqual([joined.labels, joined.more], [["x"], 1]);
  for (let index = 0; index < 6000; index += 1) series.add(1, [["n", `l${index}`, 1]]);
  assert.equal(series.refused, 1002);
});

test("a new society empties the page, the same one after a break leaves a gap", () => {
  const store = new Store({ clock: () => 0, later: () => {} });
  globalThis.document = {};
  store.take({ is: "hello", epoch: 1, society: "s", now: 0, rights: {} });
  store.take({ is: "batch", now: 1, messages: [message(1)] });
  store.take({ is: "hello", epoch: 1, society: "s", now: 2, rights: { send: true } });
  assert.equal(store.messages.rows.length, 1);
  assert.equal(store.may("send").allowed, true);
  assert.match(store.may("operate").why, /not granted/);
  store.setConnection("lost", "");
  store.take({ is: "hello", epoch: 1, society: "s", now: 3, rights: {} });
  assert.equal(store.messages.rows.at(-1).why, "connection");
  store.take({ is: "hello", epoch: 2, society: "s", now: 0, rights: {} });
  assert.equal(store.messages.rows.length, 0);
});

test("a recording that goes back forgets what has not happened yet", () => {
  const store = new Store({ clock: () => 0, later: () => {} });
  globalThis.document = {};
  store.take({ is: "hello", source: "recording", epoch: 1, now: 0, rights: {} });
  store.take({ is: "player", at: 5, speed: 0 });
  store.take({ is: "batch", now: 5, messages: [message(1), message(2)] });
  store.take({ is: "decision", kind: "council", id: "c", at: 1, n: 2, what: "call", subject: "x" });
  store.take({ is: "player", at: 1, speed: 0 });
  assert.equal(store.messages.rows.length + store.decisions.size, 0);
  store.take({ is: "batch", now: 1, all: true, messages: [message(1)] });
  assert.equal(store.messages.rows.length, 1);
});
