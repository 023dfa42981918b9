// The scrolling sequence: lifelines on top, rows on a canvas, the selected row read out.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../parts/html.js";
import { contextOf, painter, theme } from "../parts/controls.js";
import { clock, lastPart, oneLine, shortType, visible } from "../parts/text.js";
import { OUTCOMES, outcomeOf } from "../parts/outcomes.js";
import { Lanes, planLanes } from "./lanes.js";
import { ROW, gapText, layout, mostLanes, paint } from "./painter.js";

export function describe(row, reported) {
  if (!row) return "No message is selected";
  if (row.gap) return gapText(row);
  const kind = row.kind ?? "message";
  return `${clock(row.at)}: ${kind} from ${visible(row.from)} to ${visible(row.to)}, ` +
    `${OUTCOMES[outcomeOf(row, reported)].word}. ${shortType(row.type)} ${oneLine(row.text)}`;
}

// Keeps the position of the scrolling view; one for each page, outside of the components.
export class Position {
  constructor(selection) {
    this.selection = selection;
    this.following = true;
    this.anchor = 0;  // the number of the first visible row, when not following
    this.offset = 0;
    this.opened = new Set();
    this.closed = new Set();
    this.lanes = new Lanes([]);
    this.planned = "";
    this.frameMs = [];  // own work of the last frames
  }

  plan(width) {
    const key = `${width}|${this.selection.traffic.size}|${this.selection.version}|` +
      `${[...this.opened]}|${[...this.closed]}`;
    if (key === this.planned) return false;
    this.planned = key;
    const before = this.lanes.list.map((lane) => `${lane.key}${lane.members}`).join("\n");
    this.lanes = new Lanes(planLanes(this.selection.traffic, mostLanes(width), this.opened, this.closed));
    return before !== this.lanes.list.map((lane) => `${lane.key}${lane.members}`).join("\n");
  }

  measured(ms) {
    this.frameMs.push(ms);
    if (this.frameMs.length > 4000) this.frameMs.splice(0, 2000);
  }
}

export function SequenceCanvas({ store, position, selected, conversation, onSelect, onFollow, onOpen }) {
  const scroller = useRef();
  const canvas = useRef();
  const spacer = useRef();
  const draw = useRef();
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [, redraw] = useState(0);
  const selection = position.selection;

  draw.current = () => {
    if (!scroller.current || !size.width) return;
    const begun = performance.now();
    selection.update();
    const changed = position.plan(size.width);
    const context = contextOf(canvas.current, size.width, size.height);
    place(scroller.current, spacer.current, position);
    paint(context, {
      rows: selection.rows, lanes: position.lanes, width: size.width, height: size.height,
      top: scroller.current.scrollTop, selected, conversation, colours: theme(),
      reported: store.messages.reported, indexOf: (n) => selection.indexOf(n),
    });
    position.measured(performance.now() - begun);
    if (changed) redraw((value) => value + 1);
  };

  const paints = useRef(null);
  if (!paints.current) paints.current = painter(() => draw.current());
  useEffect(() => {
    const mark = paints.current.mark;
    store.frames.add(mark);
    return () => {
      store.frames.delete(mark);
      paints.current.stop();
    };
  }, [store]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const box = scroller.current;
      if (box) setSize({ width: box.clientWidth, height: box.clientHeight });
    });
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => paints.current.mark());

  const scrolled = (event) => {
    const box = event.target;
    const bottom = box.scrollHeight - box.clientHeight - box.scrollTop < ROW;
    const first = selection.rows[Math.floor(box.scrollTop / ROW)];
    position.anchor = first?.n ?? 0;
    position.offset = box.scrollTop % ROW;
    const own = Math.abs((position.expected ?? -9) - box.scrollTop) < 2;
    if (!own && position.following !== bottom) {
      position.following = bottom;
      onFollow(bottom);
    }
    paints.current.mark();
  };
  const indexAt = (event) => Math.floor(
    (event.clientY - scroller.current.getBoundingClientRect().top + scroller.current.scrollTop) / ROW);
  const click = (event) => {
    const row = selection.rows[indexAt(event)];
    if (row && !row.gap) onSelect(row.n, true);
  };
  const keys = (event) => {
    const rows = selection.rows;
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    let index = selected ? selection.indexOf(selected) : rows.length;
    if (move) index += move;
    else if (event.key === "Home") index = 0;
    else if (event.key === "End") index = rows.length - 1;
    else if (event.key === "Enter" && selected) {
      onSelect(selected, true);
      return;
    } else return;
    event.preventDefault();
    index = Math.max(0, Math.min(rows.length - 1, index));
    const step = move < 0 || event.key === "End" ? -1 : 1;
    while (rows[index]?.gap && rows[index + step]) index += step;
    if (!rows[index] || rows[index].gap) return;
    position.following = event.key === "End";
    onFollow(position.following);
    show(scroller.current, position, index);
    onSelect(rows[index].n, false);
  };
  const row = selected ? store.messages.find(selected) : null;
  return html`<div class="sequence">
    <${Lifelines} position=${position} width=${size.width} onOpen=${onOpen}
      onFold=${() => { redraw((value) => value + 1); paints.current.mark(); }} />
    <div class="sequence-scroll" ref=${scroller} tabindex="0" role="listbox" onScroll=${scrolled}
      onClick=${click} onKeyDown=${keys} aria-label="Messages; arrow keys select, Enter opens"
      aria-activedescendant="sequence-row">
      <canvas ref=${canvas} aria-hidden="true"></canvas>
      <div ref=${spacer} class="spacer"><div id="sequence-row" role="option" aria-selected=${!!row}
        class="hidden">${describe(row, store.messages.reported)}</div></div>
    </div>
  </div>`;
}

// Makes the scrolled height fit the rows and keeps the view where the reader put it.
function place(box, spacer, position) {
  const rows = position.selection.rows;
  const height = Math.max(rows.length * ROW + 8, box.clientHeight);
  const shape = `${height} ${box.clientHeight}`;
  if (spacer.dataset.shape !== shape) {
    spacer.dataset.shape = shape;
    spacer.style.height = `${height - box.clientHeight}px`;
  }
  let top = box.scrollTop;
  if (position.following) top = height - box.clientHeight;
  else if (position.anchor) top = position.selection.indexOf(position.anchor) * ROW + position.offset;
  if (Math.abs(top - box.scrollTop) >= 1) {
    position.expected = top;
    box.scrollTop = top;
  }
}

export function show(box, position, index) {
  const y = index * ROW;
  let top = box.scrollTop;
  if (y < top) top = y;
  else if (y + ROW > top + box.clientHeight) top = y + ROW - box.clientHeight;
  position.anchor = position.selection.rows[Math.floor(top / ROW)]?.n ?? 0;
  position.offset = top % ROW;
  box.scrollTop = top;
}

function Lifelines({ position, width, onFold, onOpen }) {
  const lanes = position.lanes.list;
  const where = layout(width, lanes.length);
  const toggle = (lane) => {
    if (lane.fold) {
      position.opened.add(lane.key);
      position.closed.delete(lane.key);
    } else {
      onOpen(lane.key);
    }
    onFold();
  };
  const fold = (prefix) => {
    position.closed.add(prefix);
    position.opened.delete(prefix);
    onFold();
  };
  return html`<div class="lifelines">
    ${!where.narrow && html`<span class="lifelines-time">time</span>`}
    ${lanes.map((lane, index) => html`<div key=${index} class=${!lane.fold && prefixOf(lane.key) && where.step > 110 ? "lifeline foldable" : "lifeline"} style=${{
      transform: `translateX(${where.x(index) - where.step / 2}px)`, width: `${where.step}px` }}>
      <button class=${lane.fold ? "fold" : ""} title=${visible(lane.key)} onClick=${() => toggle(lane)}>
        <i class="hidden">${lane.fold ? "Unfold" : "Open"} </i><span>${lane.fold ? oneLine(lane.label) : lastPart(lane.label)}</span>
        <small>${lane.fold ? `${lane.members} agents` : prefixOf(lane.key)}</small></button>
      ${!lane.fold && prefixOf(lane.key) && where.step > 110 && html`<button class="fold-up"
        aria-label=${`Fold ${visible(prefixOf(lane.key))}`} title="Fold agents with this prefix"
        onClick=${() => fold(prefixOf(lane.key))}>⊟</button>`}
    </div>`)}
  </div>`;
}

function prefixOf(name) {
  return name.slice(0, name.lastIndexOf("/") + 1);
}
