// agents.mjs FOLDER BINDING STREAMS AGENT...: agents on @a2a-js/sdk, for our client, as agents.py has
// them on a2a-sdk. FOLDER has node_modules. An AGENT is digger:PRICE or voter:BEST,SECOND,... The
// program prints the addresses of the agents on one line, and serves until it is stopped. BINDING is
// JSONRPC or HTTP+JSON; STREAMS is yes or no.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, binding, streams, ...agents] = process.argv.slice(2);
const require = createRequire(`${folder}/node_modules/`);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { AgentCard, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } =
  await load("@a2a-js/sdk");
const { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } = await load("@a2a-js/sdk/server");
const { UserBuilder, agentCardHandler, jsonRpcHandler, restHandler } =
  await load("@a2a-js/sdk/server/express");
const express = require("express");

// An agent whose answers a function gives, as parts.
class Scripted {
  constructor(answer) {
    this.answer = answer;
  }

  async execute({ taskId, contextId, userMessage }, bus) {
    const status = (state) =>
      AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: { state } }));
    bus.publish(AgentEvent.task(
      Task.fromJSON({ id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } })));
    bus.publish(status("TASK_STATE_WORKING"));
    for (const part of this.answer(requestOf(userMessage)))
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(
        { taskId, contextId, artifact: { artifactId: randomUUID(), parts: [part] } })));
    bus.publish(status("TASK_STATE_COMPLETED"));
    bus.finished();
  }

  async cancelTask(taskId, bus) {
    bus.publish(AgentEvent.statusUpdate(
      TaskStatusUpdateEvent.fromJSON({ taskId, status: { state: "TASK_STATE_CANCELED" } })));
    bus.finished();
  }
}

// The object that a bidder or a peer gets.
function requestOf(message) {
  const part = message.parts.find((each) => each.content?.$case === "data");
  return part ? part.content.value : {};
}

const value = (data) => ({ data, mediaType: "application/json" });

function digger(price) {
  const answer = (request) =>
    request.announcement ? [value({ offer: { total: Number(price) } })]
      : [{ text: `${request.award.subject}: done in JavaScript` }];
  return [answer, { uri: "urn:coracle:a2a:contracts:1", params: { amount: "/offer/total" } }];
}

function voter(ranking) {
  const names = ranking.split(",");
  const answer = (request) =>
    request.call ? [value({ alternatives: names.slice(0, 1) })]
      : [value({ ranking: names.filter((each) => request.agenda.alternatives.includes(each)) })];
  return [answer, { uri: "urn:coracle:a2a:councils:1" }];
}

const KINDS = { digger, voter };

function serve(app, base, number, text) {
  const [kind, options] = text.split(":");
  const [answer, extension] = KINDS[kind](options);
  const path = `/${kind}${number}`;
  const card = AgentCard.fromJSON({
    name: `${kind} ${number}`, description: `A ${kind} on @a2a-js/sdk.`, version: "1.0",
    supportedInterfaces: [{ url: base + path, protocolBinding: binding, protocolVersion: "1.0" }],
    capabilities: { streaming: streams === "yes", extensions: [extension] },
    defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"],
    skills: [{ id: kind, name: kind, description: kind, tags: [kind] }],
  });
  const requestHandler =
    new DefaultRequestHandler(card, new InMemoryTaskStore(), new Scripted(answer));
  app.use(`${path}/.well-known/agent-card.json`, agentCardHandler({ agentCardProvider: requestHandler }));
  const handler = binding === "JSONRPC" ? jsonRpcHandler : restHandler;
  app.use(path, handler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return base + path;
}

const app = express();
const server = app.listen(0, "127.0.0.1", () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  console.log(agents.map((each, i) => serve(app, base, i, each)).join(" "));
});
