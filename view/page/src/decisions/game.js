// A game tree, laid out from left to right.
import { html } from "../parts/html.js";
import { count, oneLine, visible } from "../parts/text.js";

const NODES = 400;
const STEP_X = 170;
const STEP_Y = 30;

// Places for the nodes of a tree [{id, parent, …}]: leaves one below the other, parents in the middle
// of their children. Returns {places: [{node, x, y, parent}], width, height, left}. A parent must come
// before its children; a node whose parent is unknown is a root.
export function layTree(tree, most = NODES) {
  const kept = tree.slice(0, most);
  const children = new Map();
  const ids = new Set();
  const roots = [];
  for (const node of kept) {
    if (node.parent !== undefined && node.parent !== null && ids.has(node.parent)) {
      if (!children.has(node.parent)) children.set(node.parent, []);
      children.get(node.parent).push(node);
    } else {
      roots.push(node);
    }
    ids.add(node.id);
  }
  const places = new Map();
  let line = 0;
  let deepest = 0;
  const todo = roots.reverse().map((node) => ({ node, depth: 0, visited: false }));
  while (todo.length) {
    const item = todo[todo.length - 1];
    const below = children.get(item.node.id) ?? [];
    if (!item.visited && below.length) {
      item.visited = true;
      for (const child of [...below].reverse()) todo.push({ node: child, depth: item.depth + 1, visited: false });
      continue;
    }
    todo.pop();
    deepest = Math.max(deepest, item.depth);
    const ys = below.map((child) => places.get(child.id)?.y).filter((y) => y !== undefined);
    const y = ys.length ? (Math.min(...ys) + Math.max(...ys)) / 2 : STEP_Y * (line++ + 0.7);
    places.set(item.node.id, { node: item.node, x: 20 + item.depth * STEP_X, y });
  }
  for (const place of places.values()) place.parent = places.get(place.node.parent);
  return { places: [...places.values()], width: 40 + (deepest + 1) * STEP_X, height: STEP_Y * (line + 1),
    left: tree.length - kept.length };
}

export function Game({ decision }) {
  const tree = layTree(decision.tree ?? []);
  const best = new Set(decision.best ?? []);
  const on = (place) => best.has(place.node.id);
  return html`<p class="verdict">${decision.plan?.length ? html`Best plan: <b>${decision.plan.map(visible).join(", ")}</b>`
      : "No plan has been agreed yet"}${decision.value !== undefined ? html`<span class="note"> value ${count(decision.value)}</span>` : ""}</p>
    <div class="tree-scroll card" tabindex="0" role="region" aria-label="Game tree"><svg width=${tree.width} height=${tree.height} role="img"
      aria-label=${`Game tree with ${tree.places.length} positions`}>
      ${tree.places.filter((place) => place.parent).map((place) => html`<path class=${on(place) ? "edge best" : place.node.pruned ? "edge pruned" : "edge"}
        d=${`M${place.parent.x + 6} ${place.parent.y}C${place.parent.x + 70} ${place.parent.y} ${place.x - 70} ${place.y} ${place.x - 6} ${place.y}`} />`)}
      ${tree.places.map((place) => html`<g><circle class=${on(place) ? "vertex best" : "vertex"} cx=${place.x} cy=${place.y} r="5" />
        <text x=${place.x + 10} y=${place.y + 4}>${label(place.node)}</text></g>`)}
    </svg></div>
    ${tree.left > 0 && html`<p class="note">${count(tree.left)} more positions are not drawn.</p>`}`;
}

function label(node) {
  const move = oneLine(node.move ?? node.id).slice(0, 14);
  const value = node.pruned ? " pruned" : node.value !== undefined ? ` ${count(node.value)}` : "";
  return `${move}${value}`;
}
