// client.mjs FOLDER PAINTER: the client of @a2a-js/sdk, in both bindings, with the server of
// example 50. FOLDER has node_modules. The program is started at a free port, and stopped at the end.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const LIMIT_MS = 60_000; // nothing takes so long unless something is broken
const [folder, painter] = process.argv.slice(2);
const require = createRequire(`${folder}/node_modules/`);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Role, TaskState } = await load("@a2a-js/sdk");
const sdk = await load("@a2a-js/sdk/client");
let messages = 0;

function message(text, taskId = "") {
  return {
    tenant: "",
    message: {
      messageId: `js-${process.pid}-${++messages}`, contextId: "", taskId, role: Role.ROLE_USER,
      parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "",
                mediaType: "" }],
      metadata: undefined, extensions: [], referenceTaskIds: [],
    },
    configuration: undefined, metadata: undefined,
  };
}

async function itemsOf(stream) {
  const items = [];
  for await (const each of stream) items.push(each.payload);
  return items;
}

const statesOf = (items) =>
  items.filter((each) => each.$case === "statusUpdate").map((each) => each.value.status.state);

// The operation fails with the error that the name says, in either binding.
async function fails(name, operation) {
  await assert.rejects(operation, (error) => {
    const names = [];
    for (let kind = error; kind; kind = Object.getPrototypeOf(kind)) names.push(kind.constructor?.name);
    assert.ok(names.some((each) => each?.includes(name)), `${names}: ${error}`);
    return true;
  });
}

async function play(address, binding) {
  const factory = new sdk.ClientFactory({
    transports: [new sdk.JsonRpcTransportFactory(), new sdk.RestTransportFactory()],
    preferredTransports: [binding],
  });
  const card = `${new URL(address).pathname}/.well-known/agent-card.json`;
  const client = await factory.createFromUrl(address, card);
  const asked = await itemsOf(client.sendMessageStream(message("boat")));
  const id = asked[0].value.id;
  assert.ok(statesOf(asked).includes(TaskState.TASK_STATE_INPUT_REQUIRED));
  const done = await itemsOf(client.sendMessageStream(message("red", id)));
  assert.ok(statesOf(done).includes(TaskState.TASK_STATE_COMPLETED));
  const task = await client.getTask({ tenant: "", id });
  assert.equal(task.artifacts[0].parts[0].content.value, "red boat");
  await fails("TaskNotFound", client.getTask({ tenant: "", id: "none" }));
  await fails("TaskNotCancelable", client.cancelTask({ tenant: "", id, metadata: undefined }));
  const waiting = await client.sendMessage(message("house"));
  const gone = await client.cancelTask({ tenant: "", id: waiting.id, metadata: undefined });
  assert.equal(gone.status.state, TaskState.TASK_STATE_CANCELED);
  console.log(`${binding}: as expected`);
}

const server = spawn(painter, ["127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
const limit = setTimeout(() => { throw new Error("it takes too long"); }, LIMIT_MS);
try {
  const [line] = await new Promise((resolve) =>
    createInterface({ input: server.stdout }).once("line", (text) => resolve([text])));
  const address = line.split(" ").at(-1);
  for (const binding of ["JSONRPC", "HTTP+JSON"]) await play(address, binding);
} finally {
  clearTimeout(limit);
  server.kill();
}
