// Layers of a subsumption architecture on a time-line, and the fill of a pipeline's stages.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../parts/html.js";
import { contextOf, theme } from "../parts/controls.js";
import { clock, count, oneLine, plural, seconds, visible } from "../parts/text.js";

const SPAN = 20;  // seconds on the time-line
const ROW = 44;

// From events [{at, layer, does, by}] the spans in which each layer acts or is suppressed:
// {layer: [{from, to, does, by}]}. A span lasts until the next event of its layer.
export function spansOf(events, now) {
  const spans = new Map();
  for (const event of events) {
    if (!spans.has(event.layer)) spans.set(event.layer, []);
    const list = spans.get(event.layer);
    const before = list[list.length - 1];
    if (before && before.to === undefined) before.to = event.at;
    list.push({ from: event.at, to: event.until, does: event.does, by: event.by });
  }
  for (const list of spans.values()) {
    for (const span of list) if (span.to === undefined) span.to = now;
  }
  return spans;
}

export function Layers({ app, store, decision }) {
  const box = useRef();
  const canvas = useRef();
  const [width, setWidth] = useState(0);
  const now = store.time();
  const layers = [...decision.layers ?? []].sort((a, b) => (b.level ?? 0) - (a.level ?? 0)).slice(0, 40);
  const spans = spansOf(decision.events ?? [], now);
  const height = layers.length * ROW + 26;
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width) paintLayers(contextOf(canvas.current, width, height), { layers, spans, now, width, height });
  });
  const current = layers.map((layer) => [layer, present(spans.get(layer.name), now)]);
  return html`<p class="verdict">${leading(current)}</p>
    <section class="card wide layers-card"><h2>Time-line of the last ${SPAN} s</h2>
      <div ref=${box} style=${{ height: `${height}px` }}><canvas ref=${canvas} role="img"
        aria-label="Time-line of the layers; the table below says the present state"></canvas></div>
      <p class="legend"><span class="block acts"></span> acts <span class="block suppressed"></span> is suppressed
        <span class="block inhibited"></span> is inhibited</p></section>
    <section class="card wide"><table class="plain fixed"><thead><tr><th>Layer</th><th>Level</th><th>Now</th><th>By</th><th>Since</th></tr></thead>
      <tbody>${current.map(([layer, span]) => html`<tr key=${layer.name}>
        <td><a href=${app.link("agent", layer.agent ?? layer.name)}>${visible(layer.name)}</a></td><td>${layer.level ?? ""}</td>
        <td class=${span?.does === "suppressed" ? "bad" : ""}>${visible(span?.does) || "quiet"}</td>
        <td>${visible(span?.by)}</td><td>${span ? seconds(Math.max(0, now - span.from)) : ""}</td></tr>`)}</tbody></table></section>`;
}

// The last span of a layer, unless it ended more than a second ago.
function present(spans, now) {
  const last = spans?.at(-1);
  return last && now - last.to < 1 ? last : undefined;
}

function leading(current) {
  const suppressed = current.filter(([, span]) => span?.does === "suppressed" || span?.does === "inhibited");
  if (!suppressed.length) return "No layer is suppressed now.";
  const [layer, span] = suppressed[0];
  const more = suppressed.length > 1 ? ` and ${count(suppressed.length - 1)} more` : "";
  return `${visible(span.by) || "A higher layer"} suppresses ${visible(layer.name)}${more}.`;
}

function paintLayers(context, { layers, spans, now, width, height }) {
  const colours = theme();
  const left = Math.min(130, width / 3);
  const x = (at) => left + (width - left - 8) * Math.max(0, (at - now + SPAN) / SPAN);
  context.font = '12px system-ui, -apple-system, "Liberation Sans", sans-serif';
  layers.forEach((layer, index) => {
    const y = index * ROW;
    context.fillStyle = colours.text;
    context.textAlign = "left";
    context.fillText(oneLine(layer.name).slice(0, 20), 0, y + 24, left - 10);
    context.strokeStyle = colours.lane;
    context.strokeRect(left + 0.5, y + 6.5, width - left - 9, ROW - 14);
    for (const span of spans.get(layer.name) ?? []) {
      if (span.to < now - SPAN) continue;
      const from = x(span.from);
      const wide = Math.max(2, x(span.to) - from);
      context.fillStyle = span.does === "acts" ? colours.accent : span.does === "suppressed" ? colours.refused : colours.expired;
      context.globalAlpha = span.does === "acts" ? 0.85 : 0.55;
      context.fillRect(from, y + 7, wide, ROW - 15);
      context.globalAlpha = 1;
      if (span.does !== "acts") hatch(context, from, y + 7, wide, ROW - 15, colours.surface);
    }
  });
  context.fillStyle = colours.muted;
  for (let step = 0; step <= SPAN; step += 5) {
    const at = now - SPAN + step;
    if (at < 0) continue;
    context.textAlign = step === SPAN ? "right" : step === 0 ? "left" : "center";
    context.fillText(clock(at).slice(0, -4), x(at), height - 8);
  }
}

function hatch(context, x, y, width, height, colour) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.beginPath();
  for (let at = x - height; at < x + width; at += 7) {
    context.moveTo(at, y + height);
    context.lineTo(at + height, y);
  }
  context.stroke();
  context.restore();
}

export function Pipeline({ app, decision }) {
  const stages = decision.stages ?? [];
  const slow = stages.reduce((worst, stage) => (fill(stage) > fill(worst) ? stage : worst), stages[0] ?? {});
  return html`<p class="verdict">${fill(slow) > 0.8 ? html`<b>${visible(slow.name)}</b> is the narrow place: ${
      plural(slow.queue, "unit waits", "units wait")} for it.` : "No stage holds the others up."}</p>
    <div class="pipeline">${stages.slice(0, 60).map((stage, index) => html`<section class="stage card" key=${index}>
      <h2><a href=${app.link("agent", stage.name)}>${visible(stage.name)}</a></h2>
      <div class="tank" aria-hidden="true"><span class=${fill(stage) > 0.8 ? "full" : ""} style=${{ transform: `scaleY(${fill(stage).toFixed(3)})` }}></span></div>
      <p>${count(stage.queue ?? 0)} waiting</p>
      <p class="note">${stage.rate !== undefined ? `${count(Math.round(stage.rate))}/s, ` : ""}${stage.done !== undefined ? `${count(stage.done)} sent` : ""}</p>
    </section>${index < stages.length - 1 ? html`<span class="pipe" aria-hidden="true">→</span>` : ""}`)}</div>`;
}

function fill(stage) {
  return Math.min(1, stage.share ?? 0);
}
