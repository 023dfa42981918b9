#!/usr/bin/env python3
"""client.py PAINTER: the client of a2a-sdk, in both bindings, with the server of example 50.

PAINTER is the program. It is started at a free port, and stopped at the end.
"""
import asyncio
import subprocess
import sys
import uuid

import httpx
from a2a.client import ClientConfig, create_client
from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError

LIMIT = 60  # seconds; nothing takes so long unless something is broken


def message(text, task=""):
    return a2a.SendMessageRequest(message=a2a.Message(
        message_id=str(uuid.uuid4()), role=a2a.ROLE_USER, task_id=task,
        parts=[a2a.Part(text=text)]))


async def items_of(stream):
    return [item async for item in stream]


async def fails(kind, awaited):
    try:
        await awaited
    except kind:
        return
    raise AssertionError(f"there was no {kind.__name__}")


def last_state(items):
    states = [item.status_update.status.state for item in items if item.HasField("status_update")]
    states += [item.task.status.state for item in items if item.HasField("task")][:1]
    return states


async def play(address, binding, streaming):
    config = ClientConfig(streaming=streaming, supported_protocol_bindings=[binding],
                          httpx_client=httpx.AsyncClient(timeout=LIMIT))
    async with await create_client(address, config) as client:
        asked = await items_of(client.send_message(message("boat")))
        task = asked[0].task
        assert a2a.TASK_STATE_INPUT_REQUIRED in last_state(asked), asked
        done = await items_of(client.send_message(message("red", task.id)))
        assert a2a.TASK_STATE_COMPLETED in last_state(done), done
        got = await client.get_task(a2a.GetTaskRequest(id=task.id))
        assert got.artifacts[0].parts[0].text == "red boat", got
        assert [each.parts[0].text for each in got.history][:3] == ["boat", "Which colour?", "red"]
        listed = await client.list_tasks(a2a.ListTasksRequest(page_size=1))
        assert listed.tasks[0].id == task.id and listed.total_size >= 1, listed
        await fails(TaskNotCancelableError, client.cancel_task(a2a.CancelTaskRequest(id=task.id)))
        await fails(TaskNotFoundError, client.get_task(a2a.GetTaskRequest(id="none")))
        await fails(UnsupportedOperationError,
                    items_of(client.send_message(message("blue", task.id))))
        if streaming:  # without it, the SDK does not subscribe
            await canceled(client)


async def canceled(client):
    """A subscriber sees that the task is canceled."""
    other = (await items_of(client.send_message(message("house"))))[0].task
    stream = client.subscribe(a2a.SubscribeToTaskRequest(id=other.id))
    first = await anext(stream)
    assert first.task.id == other.id, first
    gone = await client.cancel_task(a2a.CancelTaskRequest(id=other.id))
    assert gone.status.state == a2a.TASK_STATE_CANCELED, gone
    rest = await items_of(stream)
    assert a2a.TASK_STATE_CANCELED in last_state(rest), rest


async def main():
    with subprocess.Popen([sys.argv[1], "127.0.0.1:0"], stdout=subprocess.PIPE,
                          encoding="utf-8") as painter:
        try:
            address = painter.stdout.readline().split()[-1]
            for binding in ("JSONRPC", "HTTP+JSON"):
                for streaming in (True, False):
                    await asyncio.wait_for(play(address, binding, streaming), LIMIT)
                    print(f"{binding}, {'with' if streaming else 'without'} streams: as expected")
        finally:
            painter.terminate()


asyncio.run(main())
