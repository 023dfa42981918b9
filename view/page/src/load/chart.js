// A chart of lines over time, by uPlot.
import uPlot from "uplot";
import { html, useEffect, useLayoutEffect, useRef } from "../parts/html.js";
import { theme } from "../parts/controls.js";
import { clock, count, oneLine, short } from "../parts/text.js";

const DASHES = [[], [6, 4], [2, 3], [10, 3, 2, 3]];

// Lines differ by colour and by dashes.
export function lineColours() {
  const colours = theme();
  return [colours.accent, colours.good, colours.expired, colours.dropped, colours.again, colours.refused,
    colours.muted, colours.text];
}

export function Chart({ title, unit, labels, data, height = 180, step = false }) {
  const box = useRef();
  const chart = useRef(null);
  const key = `${labels.join("\n")}|${step}|${theme().text}`;
  useLayoutEffect(() => {
    chart.current?.destroy();
    chart.current = new uPlot(options({ unit, labels, height, step, width: box.current.clientWidth || 300 }),
      data, box.current);
    const observer = new ResizeObserver(() => {
      const width = box.current?.clientWidth;
      if (width) chart.current?.setSize({ width, height });
    });
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [key]);
  useEffect(() => { chart.current?.setData(data); });
  const latest = labels.map((label, index) => {
    const values = data[index + 1] ?? [];
    return `${label} ${count(values[values.length - 1])}`;
  });
  return html`<figure class="chart"><figcaption>${oneLine(title)}${unit ? html`<span class="note"> ${oneLine(unit)}</span>` : ""}</figcaption>
    <div ref=${box} class="chart-box" style=${{ height: `${height}px` }} role="img"
      aria-label=${`${oneLine(title)}: ${latest.map(oneLine).join(", ")}`}></div>
    <ul class="chart-legend">${labels.map((label, index) => html`<li key=${index}>
      <${Swatch} index=${index} /><span>${oneLine(label) || "all"}</span><b>${count(last(data[index + 1]))}</b></li>`)}</ul>
  </figure>`;
}

function last(values) {
  for (let index = (values?.length ?? 0) - 1; index >= 0; index -= 1) {
    if (values[index] !== null && values[index] !== undefined) return values[index];
  }
  return undefined;
}

function Swatch({ index }) {
  const colours = lineColours();
  return html`<svg class="swatch" viewBox="0 0 24 8" aria-hidden="true"><line x1="0" y1="4" x2="24" y2="4"
    stroke=${colours[index % colours.length]} stroke-width="2.5"
    stroke-dasharray=${DASHES[Math.floor(index / 2) % DASHES.length].join(" ")} /></svg>`;
}

function options({ unit, labels, height, step, width }) {
  const colours = theme();
  const lines = lineColours();
  const axis = { stroke: colours.muted, grid: { stroke: colours.line, width: 1 }, ticks: { show: false },
    font: '11px system-ui, "Liberation Sans", sans-serif' };
  return {
    width, height, legend: { show: false }, cursor: { y: false, points: { size: 5 } },
    scales: { x: { time: false }, y: { range: (plot, low, high) => [Math.min(0, low ?? 0), (high ?? 1) * 1.08 || 1] } },
    axes: [
      { ...axis, size: 26, space: 70, values: (plot, ticks) => ticks.map((tick) => clock(tick).replace(/\.\d+$/, "")) },
      { ...axis, size: 54, values: (plot, ticks) => ticks.map((tick) => short(tick)) },
    ],
    series: [{}].concat(labels.map((label, index) => ({
      label, stroke: lines[index % lines.length], width: 1.75, spanGaps: true, points: { show: false },
      dash: DASHES[Math.floor(index / 2) % DASHES.length],
      paths: step ? uPlot.paths.stepped({ align: 1 }) : undefined,
    }))),
    title: undefined, unit,
  };
}
