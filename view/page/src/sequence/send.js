// Sends a message as an operator.
import { html, useState } from "../parts/html.js";
import { Act, Field, WhyNot } from "../parts/controls.js";

export function SendForm({ app, store, to }) {
  const [target, setTarget] = useState(to ?? "");
  const [text, setText] = useState("");
  const [type, setType] = useState("");
  if (store.recorded) return null;
  const send = async () => {
    const members = type ? { to: target, type, json: parse(text) } : { to: target, text };
    const outcome = await app.ask("send", members);
    return typeof outcome === "string" ? `Sent: ${outcome}.` : "Sent.";
  };
  return html`<fieldset class="send"><legend>Send as an operator</legend>
    <${WhyNot} store=${store} right="send" what="Sending is off" />
    ${store.may("send").allowed && html`
      ${!to && html`<${Field} label="To" value=${target} onInput=${setTarget} width="130px" type="text" />`}
      <${Field} label="Type (then JSON)" value=${type} onInput=${setType} placeholder="none: text" width="140px" type="text" />
      <${Field} label="Content" value=${text} onInput=${setText} width="200px" type="text" />
      <${Act} store=${store} right="send" label="Send" action=${send} />`}
  </fieldset>`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The content is no JSON. Correct it, or leave the type empty to send text.");
  }
}
