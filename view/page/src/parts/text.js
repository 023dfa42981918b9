// Numbers, times and texts as people read them.

export function seconds(value) {
  if (!(value >= 0)) return "–";
  if (value < 0.001) return `${Math.round(value * 1e6)} µs`;
  if (value < 0.01) return `${(value * 1000).toFixed(1)} ms`;
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  const whole = Math.floor(value);
  if (value < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor(whole / 60) % 60).padStart(2, "0")} min`;
}

// A time since the epoch: minutes, seconds and milliseconds; hours when there are some.
export function clock(value) {
  if (!(value >= 0)) return "–";
  const ms = Math.round(value * 1000);
  const pad = (number, width) => String(number).padStart(width, "0");
  const hours = Math.floor(ms / 3600000);
  const rest = `${pad(Math.floor(ms / 60000) % 60, 2)}:${pad(Math.floor(ms / 1000) % 60, 2)}`;
  return `${hours ? `${hours}:` : ""}${rest}.${pad(ms % 1000, 3)}`;
}

const THIN = "\u202f";

export function count(value) {
  if (typeof value !== "number" || !isFinite(value)) return "–";
  if (value !== 0 && Math.abs(value) < 1) return String(+value.toPrecision(3));
  if (Math.abs(value) < 1e6) {
    const whole = Number.isInteger(value) ? String(value) : value.toFixed(1);
    return whole.replace(/\B(?=(\d{3})+(?!\d))/g, (match, group, at) =>
      (whole.includes(".") && at > whole.indexOf(".") ? "" : THIN));
  }
  if (Math.abs(value) < 1e9) return `${(value / 1e6).toFixed(2)}${THIN}M`;
  return `${(value / 1e9).toFixed(2)}${THIN}G`;
}

export function bytes(value) {
  if (typeof value !== "number" || !isFinite(value)) return "–";
  if (value < 1024) return `${Math.round(value)} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let unit = -1;
  while (value >= 1024 && unit < 3) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

// Controls and marks that change the direction of text are shown, not obeyed.
export function visible(text) {
  return String(text ?? "").replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (char) => {
      const code = char.codePointAt(0);
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      return code === 0x7f ? "\u2421" : `\u27e8${code.toString(16)}\u27e9`;
    });
}

export function oneLine(text) {
  return visible(text).replace(/[\r\n\t\u2028\u2029]+/g, " ");
}

export function shortType(type) {
  const parts = String(type ?? "").split("/").filter((part) => part && !/^v\d+$/.test(part));
  return oneLine(parts[parts.length - 1] ?? "");
}

export function lastPart(name) {
  const text = oneLine(name);
  return text.slice(text.lastIndexOf("/") + 1) || text;
}

export function plural(number, one, many) {
  return `${count(number)} ${number === 1 ? one : many ?? `${one}s`}`;
}

// A number in at most five or six characters.
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return `${+(value / 1e9).toFixed(1)}G`;
  if (size >= 1e6) return `${+(value / 1e6).toFixed(1)}M`;
  if (size >= 1e4) return `${+(value / 1e3).toFixed(0)}k`;
  if (size >= 1e3) return `${+(value / 1e3).toFixed(1)}k`;
  return String(+value.toFixed(3));
}
