// Chooses the lifelines: one for each agent when there is room, otherwise agents with the same
// prefix share one. Pure; the order of names is the order in which they appeared.

const OTHERS = "…";

// `traffic`: a Map from names to counts. `opened`: prefixes that the reader unfolded; `closed`: those
// that the reader folded. Returns [{key, label, fold, members, count}] with at most `most` entries;
// `key` is a name, a prefix that ends with `/`, or `…` for all that found no room.
export function planLanes(traffic, most, opened = new Set(), closed = new Set()) {
  const root = treeOf(traffic);
  let lanes = [...root.children.values()];
  for (;;) {
    const at = pickFold(lanes, most, opened, closed);
    if (at < 0) break;
    lanes = [...lanes.slice(0, at), ...lanes[at].children.values(), ...lanes.slice(at + 1)];
  }
  if (lanes.length > most) {
    const kept = new Set([...lanes].sort((a, b) => b.count - a.count).slice(0, most - 1));
    const rest = lanes.filter((lane) => !kept.has(lane));
    lanes = lanes.filter((lane) => kept.has(lane));
    lanes.push({
      key: OTHERS, leaf: false, children: new Map(),
      count: rest.reduce((sum, lane) => sum + lane.count, 0),
      names: rest.reduce((sum, lane) => sum + lane.names, 0),
    });
  }
  return lanes.map((lane) => ({
    key: lane.key, fold: !lane.leaf, members: lane.names, count: lane.count,
    label: lane.leaf ? lane.key : lane.key === OTHERS ? "others" : lane.key,
  }));
}

// The fold to open next: one that the reader opened, or the busiest whose members find room.
function pickFold(lanes, most, opened, closed) {
  let best = -1;
  for (let index = 0; index < lanes.length; index += 1) {
    const lane = lanes[index];
    if (lane.leaf || closed.has(lane.key)) continue;
    if (opened.has(lane.key)) return index;
    const fits = lanes.length - 1 + lane.children.size <= most;
    if (fits && (best < 0 || lane.count > lanes[best].count)) best = index;
  }
  return best;
}

// A fold with a single member is that member.
function treeOf(traffic) {
  const root = node("", false);
  for (const [name, count] of traffic) {
    const parts = String(name).split("/").slice(0, 12);
    let here = root;
    let prefix = "";
    parts.forEach((part, index) => {
      const last = index === parts.length - 1;
      prefix += last ? part : `${part}/`;
      const key = last ? String(name) : prefix;
      let child = here.children.get(key);
      if (!child) here.children.set(key, child = node(key, last));
      child.count += count;
      here = child;
    });
  }
  measure(root, 0);
  return root;
}

function node(key, leaf) {
  return { key, leaf, children: new Map(), count: 0, names: leaf ? 1 : 0 };
}

function measure(here, depth) {
  for (const [key, child] of here.children) {
    if (child.leaf) {
      here.names += 1;
      continue;
    }
    measure(child, depth + 1);
    here.names += child.names;
    if (child.children.size === 1) here.children.set(key, child.children.values().next().value);
  }
}

// Finds the lane of a name.
export class Lanes {
  constructor(lanes) {
    this.list = lanes;
    this.places = new Map(lanes.map((lane, index) => [lane.key, index]));
    this.cache = new Map();
  }

  // -1 if the name has no lane.
  of(name) {
    let place = this.cache.get(name);
    if (place === undefined) {
      place = this.search(String(name));
      if (this.cache.size < 20000) this.cache.set(name, place);
    }
    return place;
  }

  search(name) {
    if (this.places.has(name)) return this.places.get(name);
    for (let end = name.lastIndexOf("/"); end >= 0; end = name.lastIndexOf("/", end - 1)) {
      const place = this.places.get(name.slice(0, end + 1));
      if (place !== undefined) return place;
      if (end === 0) break;
    }
    return this.places.get(OTHERS) ?? -1;
  }
}
