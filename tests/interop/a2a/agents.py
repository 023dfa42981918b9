#!/usr/bin/env python3
"""agents.py BINDING STREAMS AGENT...: agents on a2a-sdk, for our client.

An AGENT is digger:PRICE, voter:BEST,SECOND,..., or painter. The program prints the addresses of the
agents on one line, and serves until it is stopped. BINDING is JSONRPC or HTTP+JSON; STREAMS is yes
or no. If CARD_KEY is set, the private key in that file signs the cards.
"""
import asyncio
import json
import os
import pathlib
import socket
import sys

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import (create_agent_card_routes, create_jsonrpc_routes,
                               create_rest_routes)
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2 as a2a
from a2a.utils.signing import create_agent_card_signer
from google.protobuf import json_format
from google.protobuf.struct_pb2 import Value
from starlette.applications import Starlette
from starlette.routing import Route

CONTRACTS = "urn:coracle:a2a:contracts:1"
COUNCILS = "urn:coracle:a2a:councils:1"


def value_part(value):
    return a2a.Part(data=json_format.Parse(json.dumps(value), Value()),
                    media_type="application/json")


class Scripted(AgentExecutor):
    """An agent whose answers a function gives: parts, or a question as a text."""

    def __init__(self, answer):
        self.answer = answer

    async def execute(self, context, event_queue):
        if not context.current_task:
            await event_queue.enqueue_event(a2a.Task(
                id=context.task_id, context_id=context.context_id,
                status=a2a.TaskStatus(state=a2a.TASK_STATE_SUBMITTED)))
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.start_work()
        answer = self.answer(context)
        if isinstance(answer, str):
            await updater.requires_input(updater.new_agent_message([a2a.Part(text=answer)]))
            return
        for i, part in enumerate(answer):
            await updater.add_artifact([part], artifact_id="result", append=i > 0,
                                       last_chunk=i + 1 == len(answer))
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def request_of(context):
    """The object that a bidder or a peer gets."""
    for part in context.message.parts:
        if part.HasField("data"):
            return json.loads(json_format.MessageToJson(part.data))
    return {}


def digger(price):
    def answer(context):
        request = request_of(context)
        if "announcement" in request:
            return [value_part({"offer": {"total": int(price)}})]
        return [a2a.Part(text=f"{request['award']['subject']}: done in Python")]
    return answer, a2a.AgentExtension(uri=CONTRACTS, params={"amount": "/offer/total"})


def voter(ranking):
    names = ranking.split(",")

    def answer(context):
        request = request_of(context)
        if "call" in request:
            return [value_part({"alternatives": names[:1]})]
        known = request["agenda"]["alternatives"]
        return [value_part({"ranking": [name for name in names if name in known]})]
    return answer, a2a.AgentExtension(uri=COUNCILS)


def painter(_):
    things = {}

    def answer(context):
        text = context.get_user_input()
        if context.task_id not in things:
            things[context.task_id] = text
            return "Which colour?"
        return [a2a.Part(text=text + " "), a2a.Part(text=things[context.task_id])]
    return answer, None


KINDS = {"digger": digger, "voter": voter, "painter": painter}


def sign(card, key):
    create_agent_card_signer(pathlib.Path(key).read_text(), {"alg": "ES256", "typ": "JOSE"})(card)


def routes_of(base, binding, streams, number, text):
    kind, _, options = text.partition(":")
    answer, extension = KINDS[kind](options)
    path = f"/{kind}{number}"
    card = a2a.AgentCard(
        name=f"{kind} {number}", description=f"A {kind} on a2a-sdk.", version="1.0",
        supported_interfaces=[a2a.AgentInterface(
            url=base + path, protocol_binding=binding, protocol_version="1.0")],
        capabilities=a2a.AgentCapabilities(streaming=streams,
                                           extensions=[extension] if extension else []),
        default_input_modes=["text/plain"], default_output_modes=["text/plain"],
        skills=[a2a.AgentSkill(id=kind, name=kind, description=kind, tags=[kind])])
    if "CARD_KEY" in os.environ:
        sign(card, os.environ["CARD_KEY"])
    handler = DefaultRequestHandler(agent_executor=Scripted(answer), agent_card=card,
                                    task_store=InMemoryTaskStore())
    routes = create_agent_card_routes(card, card_url=path + "/.well-known/agent-card.json")
    routes += create_jsonrpc_routes(handler, path)
    # Without those for tenants, which take the paths of the other agents.
    routes += [each for each in create_rest_routes(handler, path_prefix=path)
               if isinstance(each, Route)]
    return base + path, routes


async def main():
    binding, streams, *agents = sys.argv[1:]
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # a client may come as soon as it has the address
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    made = [routes_of(base, binding, streams == "yes", i, each) for i, each in enumerate(agents)]
    app = Starlette(routes=[route for _, routes in made for route in routes])
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    print(*(address for address, _ in made), flush=True)
    await server.serve([listener])


asyncio.run(main())
