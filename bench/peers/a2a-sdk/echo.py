"""An agent on a2a-sdk that echoes a text, for coracle-bench gateway.

It prints its address, and ends when its standard input does. Tasks are in memory: the fastest that
the SDK offers.
"""
import os
import socket
import sys
import threading

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2 as a2a
from starlette.applications import Starlette


class Echo(AgentExecutor):
    async def execute(self, context, event_queue):
        await event_queue.enqueue_event(a2a.Task(
            id=context.task_id, context_id=context.context_id,
            status=a2a.TaskStatus(state=a2a.TASK_STATE_SUBMITTED)))
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.add_artifact(list(context.message.parts), artifact_id="result")
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def main():
    # Only for a socket that names its protocol, asyncio sends small packets at once.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/echo"
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    card = a2a.AgentCard(
        name="echo", description="Gives a text back", version="1",
        supported_interfaces=[a2a.AgentInterface(
            url=address, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=a2a.AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"], default_output_modes=["text/plain"],
        skills=[a2a.AgentSkill(id="echo", name="echo", description="echo", tags=["echo"])])
    handler = DefaultRequestHandler(agent_executor=Echo(), task_store=InMemoryTaskStore(),
                                    agent_card=card)
    app = Starlette(routes=create_jsonrpc_routes(handler, "/echo"))
    config = uvicorn.Config(app, log_level="error", access_log=False)

    class Server(uvicorn.Server):
        async def startup(self, sockets=None):
            await super().startup(sockets)
            print(address, flush=True)

    Server(config).run(sockets=[listener])


main()
