// The messages that the page holds, in the order of their numbers, with gaps where some are
// missing. The oldest are let go beyond the limit.

const GAP = 0.5;  // a gap stands after the message whose number it carries
const TRIM = 0.05;

// The index of the first entry whose number is not below `n`.
export function lowerBound(rows, n) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].n < n) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Messages {
  constructor(limit = 100000) {
    this.limit = limit;
    this.clear();
  }

  clear() {
    this.rows = [];
    this.last = 0;
    this.version = (this.version ?? 0) + 1;  // rises with each change
    this.added ??= 0;  // rows that were ever appended; views follow it
    this.reshaped = (this.reshaped ?? 0) + 1;  // rises when rows were put elsewhere than at the end
    this.trimmed ??= 0;  // rises when the oldest rows were let go
    this.outcomes = new Map();
    this.reported = false;  // true after the first stage or outcome
    this.missed = 0;
    this.folded = 0;
    this.fold = null;
    this.pairs = new Map();
  }

  find(n) {
    const index = lowerBound(this.rows, n);
    return this.rows[index] && this.rows[index].n === n ? this.rows[index] : null;
  }

  append(messages) {
    for (const message of messages) {
      if (!(message.n > this.last)) continue;  // it is here already
      this.last = message.n;
      this.rows.push(message);
      this.added += 1;
      this.link(message);
      this.addPair(message.from, message.to, 1, message.size);
      this.count(message.outcome, message.again);
    }
    this.trim();
    this.version += 1;
  }

  // Joins a reply with its request.
  link(message) {
    if (!message.answers) return;
    const request = this.find(message.answers);
    if (request) request.replied = message.n;
  }

  // Puts older messages, which the server still holds, before those that are here.
  prepend(messages) {
    const first = this.rows.length ? this.rows[0].n : Infinity;
    const room = this.limit - this.rows.length;
    const older = messages.filter((message) => message.n < first).sort((a, b) => a.n - b.n);
    const kept = room > 0 ? older.slice(-room) : [];
    if (!kept.length) return 0;
    this.rows = kept.concat(this.rows);
    this.last = Math.max(this.last, this.rows[this.rows.length - 1].n);
    for (const message of kept) {
      this.link(message);
      this.addPair(message.from, message.to, 1, message.size);
      if (message.outcome) this.count(message.outcome, message.again);
    }
    this.relink(kept.length);
    this.reshaped += 1;
    this.version += 1;
    return kept.length;
  }

  // Replies that came before their requests did.
  relink(from) {
    const end = Math.min(this.rows.length, from + 2000);
    for (let index = from; index < end; index += 1) this.link(this.rows[index]);
  }

  stages(stages) {
    if (stages.length) this.reported = true;
    for (const stage of stages) {
      const message = this.find(stage.n);
      if (stage.outcome && (!message || !message.outcome)) this.count(stage.outcome);
      if (message) Object.assign(message, stage);
    }
    this.version += 1;
  }

  count(outcome, again) {
    if (outcome) this.reported = true;
    if (outcome) this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (again) this.outcomes.set("redelivered", (this.outcomes.get("redelivered") ?? 0) + 1);
  }

  gap({ at, missed, why, node }) {
    const last = this.rows[this.rows.length - 1];
    if (missed > 0) this.missed += missed;
    const same = last && last.gap && last.why === why && last.node === node && at - last.at < 1;
    if (same && missed > 0 && last.missed > 0) {
      last.missed += missed;
    } else {
      this.rows.push({ gap: true, n: this.last + GAP, at, missed, why, node });
      this.added += 1;
    }
    this.version += 1;
  }

  // Messages that the server only counted. One row stands for those of a second.
  addFolded(at, count, pairs) {
    this.folded += count;
    for (const [from, to, number, bytes] of pairs ?? []) this.addPair(from, to, number, bytes);
    if (this.fold && at - this.fold.at < 1) {
      this.fold.missed += count;
    } else {
      this.fold = { gap: true, n: this.last + GAP, at, missed: count, why: "folded" };
      this.rows.push(this.fold);
      this.added += 1;
    }
    this.version += 1;
  }

  // Traffic by pair, bounded; it feeds the graph.
  addPair(from, to, count, bytes) {
    const key = `${from}\n${to}`;
    let pair = this.pairs.get(key);
    if (!pair) {
      if (this.pairs.size >= 20000) return;
      pair = { from, to, count: 0, bytes: 0 };
      this.pairs.set(key, pair);
    }
    pair.count += count;
    pair.bytes += bytes ?? 0;
  }

  trim() {
    const excess = this.rows.length - this.limit;
    if (excess > this.limit * TRIM) {
      this.rows = this.rows.slice(excess);
      this.trimmed += 1;
    }
  }
}
