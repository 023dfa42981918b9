// The values of metrics over time. Each line keeps its last points; the number of lines is bounded.

const POINTS = 600;
const LINES = 5000;

export class Series {
  constructor() {
    this.metrics = new Map();  // name: {name, unit, help, of}
    this.lines = new Map();  // name of a metric: Map of label: {at: [], value: []}
    this.count = 0;
    this.version = 0;
    this.refused = 0;
  }

  describe(metrics) {
    for (const metric of metrics) {
      if (this.metrics.size < 1000) this.metrics.set(metric.name, metric);
    }
    this.version += 1;
  }

  add(at, values) {
    for (const [name, label, value] of values) {
      const line = this.line(String(name), String(label));
      if (!line) continue;
      line.at.push(at);
      line.value.push(value);
      if (line.at.length > POINTS * 1.2) {
        line.at = line.at.slice(-POINTS);
        line.value = line.value.slice(-POINTS);
      }
    }
    this.version += 1;
  }

  line(name, label) {
    let labels = this.lines.get(name);
    if (!labels) this.lines.set(name, labels = new Map());
    let line = labels.get(label);
    if (!line) {
      if (this.count >= LINES) {
        this.refused += 1;
        return null;
      }
      this.count += 1;
      labels.set(label, line = { at: [], value: [] });
    }
    return line;
  }

  last(name, label) {
    const line = this.lines.get(name)?.get(label);
    return line ? line.value[line.value.length - 1] : undefined;
  }

  // The lines of a metric with the highest last values, joined on their times for a chart:
  // {labels, data: [[at], [value], …], more}.
  joined(name, most = 8) {
    const labels = this.lines.get(name);
    if (!labels) return { labels: [], data: [[]], more: 0 };
    const ranked = [...labels].sort((a, b) => top(b[1]) - top(a[1]));
    const chosen = ranked.slice(0, most).sort((a, b) => (a[0] < b[0] ? -1 : 1));
    const times = [...new Set(chosen.flatMap(([, line]) => line.at))].sort((a, b) => a - b);
    const place = new Map(times.map((at, index) => [at, index]));
    const data = [times];
    for (const [, line] of chosen) {
      const values = new Array(times.length).fill(null);
      line.at.forEach((at, index) => { values[place.get(at)] = line.value[index]; });
      data.push(values);
    }
    return { labels: chosen.map(([label]) => label), data, more: ranked.length - chosen.length };
  }
}

function top(line) {
  return line.value[line.value.length - 1] ?? 0;
}
