// Says who waits for whom, since when, and which of them wait in a circle.

// `agents`: a map from names to agents with `waits`. Returns {waiting: [{name, for, since, what,
// circle}] with the longest first, circles: [[names]]}. A circle is an array of names in which each
// waits for the next, and the last for the first.
export function survey(agents) {
  const waiting = [];
  const edges = new Map();
  for (const agent of agents.values()) {
    const waits = agent.waits;
    if (!waits || !waits.for || !waits.for.length) continue;
    edges.set(agent.name, waits.for);
    waiting.push({ name: agent.name, for: waits.for, since: waits.since ?? 0, what: waits.what });
  }
  const circles = findCircles(edges);
  const member = new Map();
  for (const circle of circles) for (const name of circle) member.set(name, circle);
  for (const wait of waiting) wait.circle = member.get(wait.name) ?? null;
  waiting.sort((a, b) => !!b.circle - !!a.circle || a.since - b.since);
  return { waiting, circles };
}

// Walks along the edges without recursion. Each name belongs to at most one circle that is found.
export function findCircles(edges) {
  const done = new Set();
  const circles = [];
  for (const start of edges.keys()) {
    if (done.has(start)) continue;
    const path = [];
    const place = new Map();
    const todo = [[start, 0]];
    place.set(start, 0);
    path.push(start);
    while (todo.length) {
      const top = todo[todo.length - 1];
      const next = edges.get(top[0]) ?? [];
      if (top[1] >= next.length) {
        todo.pop();
        path.pop();
        place.delete(top[0]);
        done.add(top[0]);
        continue;
      }
      const name = next[top[1]++];
      if (place.has(name)) circles.push(path.slice(place.get(name)));
      else if (!done.has(name) && edges.has(name)) {
        place.set(name, path.length);
        path.push(name);
        todo.push([name, 0]);
      }
    }
  }
  return circles;
}

// The chain from `name` to the agent that is not waiting, or to the circle's first name again.
export function chainOf(name, agents, limit = 50) {
  const chain = [];
  const seen = new Set();
  while (name && chain.length < limit) {
    chain.push(name);
    if (seen.has(name)) return { chain, circle: true };
    seen.add(name);
    name = agents.get(name)?.waits?.for?.[0];
  }
  return { chain, circle: false };
}
