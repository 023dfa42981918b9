// Small controls that all pages share.
import { html, useEffect, useRef, useState } from "./html.js";
import { OUTCOMES, drawShape } from "./outcomes.js";

// A button that is there only when the right allows it; otherwise the sentence why not.
export function Act({ store, right, label, action, danger }) {
  const [state, setState] = useState(null);
  const may = store.may(right);
  if (!may.allowed) return null;
  const run = async () => {
    setState({ busy: true });
    try {
      const result = await action();
      setState({ text: typeof result === "string" ? result : "Done." });
    } catch (error) {
      setState({ text: error.message, bad: true });
    }
  };
  return html`<span class="act">
    <button class=${danger ? "danger" : ""} disabled=${state?.busy} onClick=${run}>${label}</button>
    <span class=${state?.bad ? "note bad" : "note"} role="status">${state?.text ?? ""}</span>
  </span>`;
}

export function WhyNot({ store, right, what }) {
  const may = store.may(right);
  if (may.allowed) return null;
  return html`<p class="whynot">${what}: ${may.why}</p>`;
}

export function Field({ label, value, onInput, placeholder, width, onKeyDown, type = "search" }) {
  return html`<label class="field" style=${width ? { width } : undefined}>
    <span>${label}</span>
    <input type=${type} value=${value} placeholder=${placeholder ?? ""} spellcheck=${false}
      autocomplete="off" onInput=${(event) => onInput(event.target.value)} onKeyDown=${onKeyDown} />
  </label>`;
}

export function Choice({ label, value, options, onChange }) {
  return html`<label class="field"><span>${label}</span>
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${options.map(([key, text]) => html`<option value=${key}>${text}</option>`)}
    </select></label>`;
}

// A row of buttons of which one is pressed.
export function Segments({ label, value, options, onChange }) {
  return html`<div class="segments" role="group" aria-label=${label}>
    ${options.map(([key, text]) => html`<button aria-pressed=${value === key}
      onClick=${() => onChange(key)}>${text}</button>`)}
  </div>`;
}

export function Toggle({ label, on, onChange }) {
  return html`<button class="toggle" aria-pressed=${on} onClick=${() => onChange(!on)}>${label}</button>`;
}

export function Empty({ title, children }) {
  return html`<div class="empty"><h2>${title}</h2><p>${children}</p></div>`;
}

// The word of an outcome with its colour and shape.
export function Outcome({ name, reason }) {
  const outcome = OUTCOMES[name] ?? OUTCOMES[""];
  return html`<span class="outcome"><${Shape} outcome=${outcome} />${outcome.word}${
    reason ? `: ${reason}` : ""}</span>`;
}

function Shape({ outcome }) {
  const canvas = useRef();
  useEffect(() => {
    const scale = window.devicePixelRatio || 1;
    const element = canvas.current;
    element.width = 20 * scale;
    element.height = 12 * scale;
    const context = element.getContext("2d");
    context.scale(scale, scale);
    const colour = getComputedStyle(element).getPropertyValue(outcome.colour);
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.5;
    drawShape(context, outcome.shape, 18, 6, 1);
  });
  return html`<canvas ref=${canvas} class="shape" aria-hidden="true"></canvas>`;
}

// Runs `draw` at most once in each frame of the screen, after `mark` was called.
export function painter(draw) {
  let asked = 0;
  return {
    mark() {
      if (!asked) asked = requestAnimationFrame(() => { asked = 0; draw(); });
    },
    stop() {
      cancelAnimationFrame(asked);
      asked = 0;
    },
  };
}

// Sizes a canvas to its box and gives a context that counts in CSS pixels.
export function contextOf(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  const wide = Math.round(width * scale);
  const high = Math.round(height * scale);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

// The colours of the theme in force. They are read again after each change of the theme.
let colours = null;
export function theme() {
  if (colours) return colours;
  const style = getComputedStyle(document.documentElement);
  const names = ["text", "muted", "line", "surface", "bg", "accent", "accent-soft", "good",
    "waiting", "expired", "refused", "dropped", "again", "lane", "band"];
  colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return colours;
}

export function forgetTheme() {
  colours = null;
}
