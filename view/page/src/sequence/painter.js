// Draws the rows of the sequence that are visible. Its work does not depend on how many are held.
import { OUTCOMES, drawShape, outcomeOf } from "../parts/outcomes.js";
import { clock, count, lastPart, oneLine, shortType } from "../parts/text.js";

export const ROW = 32;
const FONT = '12px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';
const SMALL = '11px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';

// Where lifelines stand in a width: {left, right, step, x(place)}.
export function layout(width, lanes) {
  const narrow = width < 620;
  const left = narrow ? 12 : 92;
  const right = narrow ? 10 : 118;
  const step = (width - left - right) / Math.max(1, lanes);
  return { narrow, left, right, step, x: (place) => left + step * (place + 0.5) };
}

export function mostLanes(width) {
  const narrow = width < 620;
  const room = width - (narrow ? 22 : 210);
  return Math.max(2, Math.floor(room / (narrow ? 84 : 104)));
}

export const GAP_REASONS = {
  __proto__: null,
  rate: "were more than the rate that the view asked for",
  mailbox: "found the view's mailbox full",
  connection: "went by while the page was not connected",
  folded: "are only counted, because they were too many to show",
  narrowed: "were not sent here while the selection was narrower",
  unknown: "were missed for an unknown reason",
};

export function gapText(row) {
  const number = row.missed > 0 ? count(row.missed) : "An unknown number of";
  const where = row.node ? ` (node ${oneLine(row.node)})` : "";
  return `${number} messages ${GAP_REASONS[row.why] ?? GAP_REASONS.unknown}${where}`;
}

// `view`: {rows, lanes, width, height, top, selected, conversation, colours}.
export function paint(context, view) {
  const place = layout(view.width, view.lanes.list.length);
  const first = Math.max(0, Math.floor(view.top / ROW));
  const end = Math.min(view.rows.length, first + Math.ceil(view.height / ROW) + 1);
  context.lineWidth = 1;
  context.lineJoin = "round";
  paintLifelines(context, view, place);
  for (let index = first; index < end; index += 1) {
    const row = view.rows[index];
    const y = index * ROW - view.top;
    if (row.gap) paintGap(context, view, row, y);
    else paintActivation(context, view, place, row, y, first);
  }
  for (let index = first; index < end; index += 1) {
    const row = view.rows[index];
    if (!row.gap) paintMessage(context, view, place, row, index * ROW - view.top);
  }
}

function paintLifelines(context, view, place) {
  context.strokeStyle = view.colours.lane;
  context.beginPath();
  view.lanes.list.forEach((lane, index) => {
    const x = Math.round(place.x(index)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, view.height);
  });
  context.stroke();
}

function paintGap(context, view, row, y) {
  context.fillStyle = view.colours.band;
  context.fillRect(0, y + 4, view.width, ROW - 8);
  context.strokeStyle = view.colours.muted;
  context.setLineDash([2, 4]);
  context.beginPath();
  context.moveTo(0, y + 4.5);
  context.lineTo(view.width, y + 4.5);
  context.moveTo(0, y + ROW - 4.5);
  context.lineTo(view.width, y + ROW - 4.5);
  context.stroke();
  context.setLineDash([]);
  context.font = SMALL;
  context.fillStyle = view.colours.text;
  context.textAlign = "left";
  context.fillText(gapText(row), 12, y + 20, view.width - 24);
}

// A bar on the lifeline of the agent that answers, from the request to the reply.
function paintActivation(context, view, place, row, y, first) {
  const request = row.answers ? row.answers : row.replied ? row.n : 0;
  const reply = row.answers ? row.n : row.replied;
  if (!request || !reply) return;
  const from = view.indexOf(request);
  const to = view.indexOf(reply);
  if (view.rows[from]?.n !== request || view.rows[to]?.n !== reply) return;
  if (row.answers && from >= first) return;  // the request's row draws it
  const lane = view.lanes.of(row.answers ? row.from : row.to);
  if (lane < 0) return;
  const x = place.x(lane);
  const top = Math.max(-5, from * ROW - view.top + 23);
  const bottom = Math.min(view.height + 5, to * ROW - view.top + 23);
  context.fillStyle = view.colours["accent-soft"];
  context.strokeStyle = view.colours.accent;
  context.beginPath();
  context.rect(Math.round(x) - 3.5, top, 7, Math.max(2, bottom - top));
  context.fill();
  context.stroke();
}

function paintMessage(context, view, place, row, y) {
  const colours = view.colours;
  const name = outcomeOf(row, view.reported);
  const outcome = OUTCOMES[name];
  const faded = view.conversation && row.conv !== view.conversation;
  if (row.n === view.selected) {
    context.fillStyle = colours["accent-soft"];
    context.fillRect(0, y, view.width, ROW);
  }
  context.globalAlpha = faded ? 0.45 : 1;
  const from = view.lanes.of(row.from);
  const to = view.lanes.of(row.to);
  const colour = colours[outcome.colour.slice(2)];
  if (!place.narrow) paintMargins(context, view, row, y, outcome, name, colour);
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = row.n === view.selected ? 2 : 1.4;
  const reply = row.kind === "reply" || row.kind === "failure";
  context.setLineDash(reply ? [5, 3] : []);
  const line = y + 23;
  const start = place.x(Math.max(0, from));
  const head = place.x(Math.max(0, to));
  const side = from === to ? -1 : Math.sign(head - start);
  context.beginPath();
  if (from === to) {
    const out = start + Math.min(28, place.step / 2.5);
    context.moveTo(start, line - 8);
    context.lineTo(out, line - 8);
    context.lineTo(out, line);
    context.lineTo(start + 9, line);
  } else {
    context.moveTo(start, line);
    context.lineTo(head - side * 9, line);
  }
  context.stroke();
  context.setLineDash([]);
  drawShape(context, outcome.shape, head, line, side);
  paintLabel(context, view, place, row, y, from, to);
  context.globalAlpha = 1;
  context.lineWidth = 1;
}

function paintMargins(context, view, row, y, outcome, name, colour) {
  context.font = SMALL;
  context.textAlign = "left";
  context.fillStyle = view.colours.muted;
  context.fillText(clock(row.at), 12, y + 27);
  context.textAlign = "right";
  if (name !== "consumed" && name !== "sent") {
    context.fillStyle = colour;
    context.fillText(row.kind === "failure" ? "failure" : outcome.word, view.width - 14, y + 27, 96);
  }
  context.textAlign = "left";
}

export function labelOf(row, lanes, from, to) {
  const type = shortType(row.type);
  let label = type ? `${type}  ${oneLine(row.text)}` : oneLine(row.text);
  const folded = lanes.list[from]?.fold || lanes.list[to]?.fold;
  if (folded) label = `${lastPart(row.from)} → ${lastPart(row.to)}   ${label}`;
  return label || "(empty)";
}

function paintLabel(context, view, place, row, y, from, to) {
  const own = from === to;
  const left = Math.min(place.x(Math.max(0, from)), place.x(Math.max(0, to))) + (own ? 36 : 10);
  const span = own ? place.step * 2 : Math.abs(place.x(to) - place.x(from)) - 20;
  const edge = view.width - place.right - 4;
  const room = Math.min(edge - left, Math.max(span, place.step * 1.6));
  if (room < 12) return;
  let text = labelOf(row, view.lanes, from, to).slice(0, 300);
  context.font = row.kind === "request" ? `600 ${FONT}` : FONT;
  context.textAlign = "left";
  let width = context.measureText(text).width;
  for (let turn = 0; width > room && text.length > 2 && turn < 4; turn += 1) {
    text = `${text.slice(0, Math.max(1, Math.floor(text.length * room / width) - 1))}…`;
    width = context.measureText(text).width;
  }
  width = Math.min(room, width);
  context.fillStyle = row.n === view.selected ? view.colours["accent-soft"] : view.colours.surface;
  context.fillRect(left - 2, y + 3, width + 4, 15);
  context.fillStyle = view.colours.text;
  context.fillText(text, left, y + 15, room);
}
