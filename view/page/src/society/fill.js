// The fill of mailboxes against their limits, and the use of processors.
import { html } from "../parts/html.js";
import { count } from "../parts/text.js";

// How full a mailbox is, as far as its limit is known.
export function fillOf(agent) {
  return agent.room ? (agent.queue ?? 0) / agent.room : undefined;
}

export const fillColumn = {
  key: "fill", title: "Fill", width: "130px", value: (a) => fillOf(a) ?? -1,
  show: (a) => {
    const fill = fillOf(a);
    if (fill === undefined) return "";
    const percent = fill > 0 && fill < 0.01 ? "under 1 %" : `${Math.round(fill * 100)} %`;
    return html`<span class=${`gauge ${fill >= 0.9 ? "bad" : ""}`} title=${`at most ${count(a.room)} messages`}>
      <span class="bar" aria-hidden="true"><span style=${{ transform: `scaleX(${Math.min(1, fill).toFixed(3)})` }}></span></span>
      ${percent}</span>`;
  } };

// The share of a processor that an agent uses, as a text; empty if nobody has measured it.
export function cpuOf(agent) {
  return agent?.cpu === undefined ? "" : `${(agent.cpu * 100).toFixed(1)} %`;
}

export const cpuColumn = {
  key: "cpu", title: "CPU", width: "80px", number: true, value: (a) => a.cpu ?? -1, show: cpuOf };
