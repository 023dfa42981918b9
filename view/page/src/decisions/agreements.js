// Councils, contract nets and markets.
import { html } from "../parts/html.js";
import { Chart } from "../load/chart.js";
import { clock, count, oneLine, seconds, visible } from "../parts/text.js";

export function Council({ app, decision }) {
  const ballots = decision.ballots ?? [];
  const members = decision.members ?? [];
  const tally = decision.tally ?? tallyOf(ballots);
  const most = Math.max(1, ...tally.map(([, votes]) => votes));
  const voted = new Set(ballots.map((ballot) => ballot.from));
  return html`
    <p class="verdict">${decision.winner !== undefined && decision.winner !== ""
      ? html`Decided: <b>${visible(decision.winner)}</b>`
      : decision.ties?.length ? html`<span class="bad">Tie between ${decision.ties.map(visible).join(" and ")}</span>`
        : `${count(voted.size)} of ${count(members.length || voted.size)} have voted`}
      ${decision.rule && html`<span class="note"> Rule: ${oneLine(decision.rule)}</span>`}
      ${decision.round > 1 && html`<span class="note"> Round ${count(decision.round)}</span>`}</p>
    <section class="card"><h2>Tally</h2>${tally.slice(0, 50).map(([choice, votes], index) => html`
      <${Bar} key=${index} label=${choice} value=${votes} most=${most}
        strong=${choice === decision.winner} />`)}</section>
    <section class="card"><h2>Ballots</h2><table class="plain"><thead><tr><th>Voter</th><th>Choice</th><th>At</th></tr></thead>
      <tbody>${ballots.slice(0, 200).map((ballot, index) => html`<tr key=${index}>
        <td><a href=${app.link("agent", ballot.from)}>${visible(ballot.from)}</a></td>
        <td>${visible(ballot.choice)}</td><td><time>${clock(ballot.at)}</time></td></tr>`)}
      ${members.filter((member) => !voted.has(member)).slice(0, 200).map((member) => html`<tr>
        <td><a href=${app.link("agent", member)}>${visible(member)}</a></td><td class="note">has not voted</td><td></td></tr>`)}
      </tbody></table></section>`;
}

export function tallyOf(ballots) {
  const votes = new Map();
  for (const ballot of ballots) votes.set(ballot.choice, (votes.get(ballot.choice) ?? 0) + 1);
  return [...votes].sort((a, b) => b[1] - a[1]);
}

function Bar({ label, value, most, strong }) {
  return html`<div class=${`bar${strong ? " strong" : ""}`}><span class="bar-label">${visible(label)}</span>
    <span class="bar-track" aria-hidden="true"><span style=${{ transform: `scaleX(${(value / most).toFixed(3)})` }}></span></span>
    <b>${count(value)}</b></div>`;
}

export function Contract({ app, store, decision }) {
  const bids = decision.bids ?? [];
  const numbers = bids.map((bid) => bid.value).filter((value) => typeof value === "number");
  const most = Math.max(1e-9, ...numbers.map(Math.abs));
  const awarded = [].concat(decision.awarded ?? []);
  const left = decision.lease !== undefined ? decision.lease - store.time() : undefined;
  return html`
    <p class="verdict">Client <a href=${app.link("agent", decision.client)}>${visible(decision.client)}</a>${" "}
      ${awarded.length ? html`awards to <b>${awarded.map(visible).join(", ")}</b>` : html`<span>has not awarded yet</span>`}
      ${left !== undefined && html`<span class="note"> lease ${left > 0 ? `ends in ${seconds(left)}` : "has ended"}</span>`}</p>
    <section class="card"><h2>Bids</h2>
      ${!bids.length && html`<p class="bad">Nobody has bid.</p>`}
      <table class="plain"><thead><tr><th>Bidder</th><th>Bid</th><th><span class="hidden">Size of the bid</span></th><th>At</th><th>State</th></tr></thead>
      <tbody>${bids.slice(0, 200).map((bid, index) => html`<tr key=${index} class=${awarded.includes(bid.from) ? "won" : ""}>
        <td><a href=${app.link("agent", bid.from)}>${visible(bid.from)}</a></td>
        <td>${typeof bid.value === "number" ? count(bid.value) : visible(bid.value ?? bid.text)}</td>
        <td class="bar-cell"><span class="bar-track" aria-hidden="true"><span style=${{
          transform: `scaleX(${typeof bid.value === "number" ? (Math.abs(bid.value) / most).toFixed(3) : 0})` }}></span></span></td>
        <td><time>${clock(bid.at)}</time></td>
        <td>${awarded.includes(bid.from) ? "awarded" : oneLine(bid.state) || "not chosen"}</td></tr>`)}
      ${(decision.refusals ?? []).slice(0, 200).map((name) => html`<tr><td><a href=${app.link("agent", name)}>${visible(name)}</a></td>
        <td class="note">does not bid</td><td></td><td></td><td></td></tr>`)}</tbody></table></section>
    ${decision.steps?.length > 0 && html`<section class="card"><h2>Steps</h2><ol class="stages">${decision.steps.slice(-100).map((step, index) => html`
      <li key=${index}><span class="what">${visible(step.what)}</span><time>${clock(step.at)}</time></li>`)}</ol></section>`}`;
}

export function Market({ app, decision }) {
  const prices = decision.prices ?? [];  // [[at, price]] or, with goods, [[at, goods, price]]
  const goods = [...new Set(prices.map((each) => (each.length > 2 ? each[1] : decision.goods ?? "price")))].slice(0, 8);
  const times = [...new Set(prices.map((each) => each[0]))].sort((a, b) => a - b);
  const place = new Map(times.map((at, index) => [at, index]));
  const lines = goods.map(() => new Array(times.length).fill(null));
  for (const each of prices) {
    const line = lines[each.length > 2 ? goods.indexOf(each[1]) : 0];
    if (line) line[place.get(each[0])] = each[each.length - 1];
  }
  const traders = decision.traders ?? [];
  return html`<p class="verdict">${decision.clears ? html`The market clears at <b>${
      typeof decision.clears === "number" ? count(decision.clears) : visible(decision.clears)}</b>` : "The prices still move"}
      ${decision.excess !== undefined && html`<span class="note"> excess demand ${count(decision.excess)}</span>`}</p>
    ${times.length > 0 && html`<section class="card"><${Chart} title="Prices" unit=${decision.unit} height=${240}
      labels=${goods.map(String)} data=${[times, ...lines]} step=${true} /></section>`}
    ${traders.length > 0 && html`<section class="card"><h2>Traders</h2><p class="members">${traders.slice(0, 200).map((trader) => html`
      <a href=${app.link("agent", trader.name)}>${visible(trader.name)}</a> `)}</p></section>`}`;
}
