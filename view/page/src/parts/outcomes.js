// The outcomes of messages: for each a word, a colour (a variable of app.css) and a shape, so that
// colour is never the only sign.

export const OUTCOMES = {
  __proto__: null,
  "": { word: "under way", colour: "--waiting", shape: "hollow" },
  sent: { word: "outcome not reported", colour: "--waiting", shape: "arrow" },
  consumed: { word: "consumed", colour: "--good", shape: "arrow" },
  expired: { word: "expired", colour: "--expired", shape: "circle" },
  refused: { word: "refused", colour: "--refused", shape: "cross" },
  dropped: { word: "dropped", colour: "--dropped", shape: "bar" },
  undeliverable: { word: "undeliverable", colour: "--refused", shape: "square" },
  lost: { word: "custodian lost", colour: "--refused", shape: "diamond" },
  redelivered: { word: "redelivered", colour: "--again", shape: "double" },
};

const NAMES = { __proto__: null, custodian_lost: "lost", "custodian lost": "lost" };

// The name of a message's outcome. `reported` is true if the society
// reports outcomes at all.
export function outcomeOf(message, reported = true) {
  const name = NAMES[message.outcome] ?? message.outcome ?? (reported ? "" : "sent");
  if (message.again && (name === "" || name === "consumed")) return "redelivered";
  return OUTCOMES[name] ? name : "undeliverable";
}

export function isTrouble(message) {
  if (message.kind === "failure") return true;
  const name = outcomeOf(message);
  return name !== "" && name !== "consumed" && name !== "redelivered";
}

// The shape at the head of an arrow, drawn at (x, y) and pointing to `side` (1 or -1).
export function drawShape(context, shape, x, y, side) {
  context.beginPath();
  if (shape === "arrow" || shape === "hollow" || shape === "double") {
    triangle(context, x, y, side);
    if (shape === "double") triangle(context, x - side * 8, y, side);
  } else if (shape === "circle") {
    context.arc(x - side * 5, y, 4, 0, 7);
  } else if (shape === "square") {
    context.rect(x - side * 5 - 4, y - 4, 8, 8);
  } else if (shape === "diamond") {
    context.moveTo(x, y);
    context.lineTo(x - side * 5, y - 5);
    context.lineTo(x - side * 10, y);
    context.lineTo(x - side * 5, y + 5);
    context.closePath();
  } else if (shape === "cross") {
    context.moveTo(x - side * 9, y - 4);
    context.lineTo(x - side, y + 4);
    context.moveTo(x - side * 9, y + 4);
    context.lineTo(x - side, y - 4);
  } else {
    context.moveTo(x - side * 4, y - 6);
    context.lineTo(x - side * 4, y + 6);
  }
  if (shape === "arrow" || shape === "double") context.fill();
  else context.stroke();
}

function triangle(context, x, y, side) {
  context.moveTo(x, y);
  context.lineTo(x - side * 8, y - 4.5);
  context.lineTo(x - side * 8, y + 4.5);
  context.closePath();
}
