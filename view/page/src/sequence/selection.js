// The rows that the reader's filter lets through, kept up to date as messages arrive.
import { lowerBound } from "../state/messages.js";
import { isTrouble } from "../parts/outcomes.js";

const NAMES = 20000;

// Words with `*` are patterns of the whole name; others are found anywhere in it. Linear in time:
// no regular expression comes from the reader.
export function nameTest(words) {
  const tests = String(words ?? "").split(/[\s,]+/).filter(Boolean).slice(0, 20).map(wordTest);
  if (!tests.length) return null;
  return (name) => tests.some((test) => test(name));
}

function wordTest(word) {
  if (!word.includes("*")) return (text) => String(text ?? "").includes(word);
  const pieces = word.split("*");
  const first = pieces.shift();
  const last = pieces.pop();
  return (text) => {
    text = String(text ?? "");
    if (text.length < first.length + last.length) return false;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const piece of pieces) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

// A function of a message for the filter {names, types, conversation, text, trouble}, or null for
// all messages.
export function messageTest(filter) {
  const names = nameTest(filter.names);
  const types = nameTest(filter.types);
  const text = String(filter.text ?? "").toLowerCase();
  const conversation = filter.conversation ?? "";
  if (!names && !types && !text && conversation === "" && !filter.trouble) return null;
  return (message) => {
    if (names && !names(message.from) && !names(message.to) && !names(message.group)) return false;
    if (types && !types(message.type)) return false;
    if (conversation !== "" && String(message.conv ?? "") !== String(conversation)) return false;
    if (text && !String(message.text ?? "").toLowerCase().includes(text)) return false;
    return !filter.trouble || isTrouble(message);
  };
}

export class Selection {
  constructor(messages) {
    this.messages = messages;
    this.filter = {};
    this.rebuild();
  }

  setFilter(filter) {
    this.filter = filter;
    this.rebuild();
  }

  rebuild() {
    const messages = this.messages;
    this.test = messageTest(this.filter);
    this.traffic = new Map();
    this.rows = this.test
      ? messages.rows.filter((row) => row.gap || this.test(row))
      : messages.rows;
    for (const row of this.rows) this.note(row);
    this.added = messages.added;
    this.reshaped = messages.reshaped;
    this.trimmed = messages.trimmed;
    this.version = (this.version ?? 0) + 1;
  }

  // Follows the messages; returns true if names have appeared.
  update() {
    const messages = this.messages;
    const before = this.traffic.size;
    if (messages.reshaped !== this.reshaped) {
      const traffic = this.traffic;
      this.rebuild();
      return this.traffic.size !== traffic.size;
    }
    if (messages.trimmed !== this.trimmed) {
      const first = messages.rows.length ? messages.rows[0].n : 0;
      this.rows = this.test ? this.rows.slice(lowerBound(this.rows, first)) : messages.rows;
      this.trimmed = messages.trimmed;
    }
    const fresh = messages.added - this.added;
    this.added = messages.added;
    for (let index = Math.max(0, messages.rows.length - fresh); index < messages.rows.length; index += 1) {
      const row = messages.rows[index];
      if (this.test && (row.gap || this.test(row))) this.rows.push(row);
      if (!this.test || row.gap || this.test(row)) this.note(row);
    }
    return this.traffic.size !== before;
  }

  note(row) {
    if (row.gap) return;
    this.noteName(row.from);
    this.noteName(row.to);
  }

  noteName(name) {
    const count = this.traffic.get(name);
    if (count !== undefined) this.traffic.set(name, count + 1);
    else if (name !== undefined && this.traffic.size < NAMES) this.traffic.set(name, 1);
  }

  // The index of the row with number `n`, or of the next one.
  indexOf(n) {
    return lowerBound(this.rows, n);
  }

  // The next row in a direction, from `index` on, whose name, type or text has `word`.
  search(word, index, step) {
    const needle = word.toLowerCase();
    const rows = this.rows;
    for (let tried = 0; tried < rows.length; tried += 1) {
      index = (index + step + rows.length) % rows.length;
      const row = rows[index];
      if (row.gap) continue;
      const text = `${row.from}\n${row.to}\n${row.type ?? ""}\n${row.text ?? ""}`;
      if (text.toLowerCase().includes(needle)) return index;
    }
    return -1;
  }
}
