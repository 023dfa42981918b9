// The graph of who talks with whom. Beyond a limit, agents with the same prefix are one node.
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import { quadtree } from "d3-quadtree";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../parts/html.js";
import { contextOf, painter, theme } from "../parts/controls.js";
import { count, lastPart, oneLine, plural } from "../parts/text.js";

const MOST_NODES = 300;
const MOST_LINKS = 1500;
const FRAME_MS = 10;

// Nodes and links from pairs {from, to, count}; names share a node when there would be too many.
// Returns {nodes: [{key, agents, count}], links: [{source, target, count}], depth}.
export function gather(pairs, known, most = MOST_NODES) {
  for (let depth = 12; depth >= 1; depth = depth > 4 ? 4 : depth - 1) {
    const result = gatherAt(pairs, known, depth);
    if (result.nodes.length <= most || depth === 1) return cut(result, most);
  }
  return { nodes: [], links: [], depth: 1 };
}

function keyAt(name, depth) {
  const parts = String(name).split("/");
  return parts.length <= depth ? String(name) : `${parts.slice(0, depth).join("/")}/`;
}

function gatherAt(pairs, known, depth) {
  const nodes = new Map();
  const links = new Map();
  const node = (name) => {
    const key = depth > 4 ? String(name) : keyAt(name, depth);
    let each = nodes.get(key);
    if (!each) nodes.set(key, each = { key, agents: 0, count: 0 });
    return each;
  };
  for (const name of known) node(name).agents += 1;
  for (const pair of pairs) {
    const from = node(pair.from);
    const to = node(pair.to);
    from.count += pair.count;
    to.count += pair.count;
    const key = `${from.key}\n${to.key}`;
    const link = links.get(key);
    if (link) link.count += pair.count;
    else links.set(key, { source: from.key, target: to.key, count: pair.count });
  }
  return { nodes: [...nodes.values()], links: [...links.values()], depth };
}

function cut({ nodes, links, depth }, most) {
  const kept = [...nodes].sort((a, b) => b.count - a.count || b.agents - a.agents).slice(0, most);
  const names = new Set(kept.map((node) => node.key));
  const inside = links.filter((link) => names.has(link.source) && names.has(link.target))
    .sort((a, b) => b.count - a.count).slice(0, MOST_LINKS);
  return { nodes: kept, links: inside, depth, left: nodes.length - kept.length };
}

export function Graph({ app, store, agents }) {
  const box = useRef();
  const canvas = useRef();
  const model = useRef(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [hover, setHover] = useState(null);
  const hovered = useRef(null);
  const narrowed = agents.length !== store.agents.size;
  const draw = () => model.current && size.width && paintGraph(canvas.current, size, model.current, hovered.current);

  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (box.current) setSize({ width: box.current.clientWidth, height: box.current.clientHeight });
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!size.width) return undefined;
    const paints = painter(() => {
      const more = model.current && settle(model.current);
      draw();
      if (more) paints.mark();
    });
    const rebuild = () => {
      const names = new Set(agents.map((agent) => agent.name));
      const pairs = [...store.messages.pairs.values()].filter(
        (pair) => !narrowed || names.has(pair.from) || names.has(pair.to));
      update(model, gather(pairs, names), size, paints.mark);
    };
    rebuild();
    const timer = setInterval(rebuild, 2000);
    return () => {
      clearInterval(timer);
      paints.stop();
      model.current?.simulation.stop();
    };
  }, [size.width, size.height, narrowed, agents.length]);
  useEffect(draw);

  const pick = (event) => {
    const tree = model.current?.tree;
    if (!tree) return null;
    const place = canvas.current.getBoundingClientRect();
    return tree().find(event.clientX - place.left, event.clientY - place.top, 30);
  };
  const open = (node) => node && (node.key.endsWith("/")
    ? (Object.assign(app.society, { names: `${node.key}*` }), app.redraw())
    : app.go("agent", node.key));
  const busiest = (model.current?.links ?? []).slice(0, 12);
  return html`<div class="graph-page">
    <div class="graph" ref=${box}>
      <canvas ref=${canvas} role="img" aria-label="Graph of who talks with whom; the busiest pairs are in the list beside it"
        onPointerMove=${(event) => { hovered.current = pick(event); setHover(hovered.current); }}
        onPointerLeave=${() => { hovered.current = null; setHover(null); }}
        onClick=${(event) => open(pick(event))}></canvas>
      <p class="graph-note">${hover ? `${oneLine(hover.key)}: ${plural(hover.agents, "agent")}, ${count(hover.count)} messages`
        : "Thickness shows traffic. Click an agent to open it."}</p>
    </div>
    <aside class="busiest" tabindex="0" role="region" aria-label="Busiest pairs"><h2>Busiest pairs</h2>
      <ol>${busiest.map((link) => html`<li><span>${oneLine(link.source.key)} → ${oneLine(link.target.key)}</span>
        <b>${count(link.count)}</b></li>`)}</ol></aside>
  </div>`;
}

// Keeps the places of nodes that were there before, so that the picture stays calm.
function update(model, gathered, size, mark) {
  const before = new Map((model.current?.nodes ?? []).map((node) => [node.key, node]));
  const same = before.size === gathered.nodes.length && gathered.nodes.every((node) => before.has(node.key));
  const nodes = gathered.nodes.map((node, index) => Object.assign(before.get(node.key) ?? {
    x: size.width / 2 + 40 * Math.sqrt(index) * Math.cos(index * 2.4),
    y: size.height / 2 + 40 * Math.sqrt(index) * Math.sin(index * 2.4) }, node));
  const links = gathered.links.map((link) => ({ ...link }));
  const old = model.current?.simulation;
  old?.stop();
  const simulation = forceSimulation(nodes)
    .force("link", forceLink(links).id((node) => node.key).distance(Math.max(90, Math.min(220, 620 / Math.sqrt(nodes.length)))).strength(0.25))
    .force("charge", forceManyBody().strength(-260).distanceMax(420))
    .force("collide", forceCollide(26))
    .force("x", forceX(size.width / 2).strength(0.06))
    .force("y", forceY(size.height / 2).strength(0.09))
    .stop();
  model.current = { nodes, links, simulation, most: Math.max(1, ...links.map((link) => link.count)),
    rounds: same ? 0 : nodes.length > 150 ? 60 : 150, size,
    tree: () => quadtree(nodes, (node) => node.x, (node) => node.y) };
  mark();
}

// Moves the nodes for as long as a frame allows; returns true when there is more to do.
function settle(model) {
  const begun = performance.now();
  while (model.rounds > 0 && performance.now() - begun < FRAME_MS) {
    model.simulation.tick();
    model.rounds -= 1;
  }
  for (const node of model.nodes) {
    node.x = Math.max(50, Math.min(model.size.width - 50, node.x));
    node.y = Math.max(24, Math.min(model.size.height - 40, node.y));
  }
  return model.rounds > 0;
}

function paintGraph(canvas, size, model, hover) {
  const context = contextOf(canvas, size.width, size.height);
  const colours = theme();
  for (const link of model.links) {
    const near = hover && (link.source === hover || link.target === hover);
    context.globalAlpha = hover && !near ? 0.15 : 0.75;
    context.strokeStyle = near ? colours.accent : colours.muted;
    context.lineWidth = 0.6 + 5 * Math.log1p(link.count) / Math.log1p(model.most);
    context.beginPath();
    context.moveTo(link.source.x, link.source.y);
    const bend = link.source === link.target ? 60 : 14;
    const x = (link.source.x + link.target.x) / 2 + bend * Math.sign(link.target.y - link.source.y || 1);
    const y = (link.source.y + link.target.y) / 2 - bend * Math.sign(link.target.x - link.source.x || 1);
    context.quadraticCurveTo(x, y, link.target.x, link.target.y);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.font = '12px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';
  context.textAlign = "center";
  for (const node of model.nodes) {
    const fold = node.key.endsWith("/");
    const radius = fold ? 9 + Math.min(14, Math.sqrt(node.agents)) : 7;
    context.fillStyle = node === hover ? colours.accent : fold ? colours["accent-soft"] : colours.surface;
    context.strokeStyle = colours.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(node.x, node.y, radius, 0, 7);
    context.fill();
    context.stroke();
    if (model.nodes.length > 120 && node !== hover && !fold) continue;
    const label = (fold ? oneLine(node.key) : lastPart(node.key)).slice(0, 24);
    const width = context.measureText(label).width;
    context.fillStyle = colours.surface;
    context.globalAlpha = 0.85;
    context.fillRect(node.x - width / 2 - 2, node.y + radius + 2, width + 4, 15);
    context.globalAlpha = 1;
    context.fillStyle = colours.text;
    context.fillText(label, node.x, node.y + radius + 14);
  }
}
