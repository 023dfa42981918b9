"""Asks the fleet of examples/52_orders.cpp what it does, and gives an order.   orders.py ADDRESS"""
import asyncio
import sys

from fastmcp import Client


async def main():
    async with Client(sys.argv[1]) as fleet:
        for agent in (await fleet.call_tool("society_agents")).structured_content["agents"]:
            robot = await fleet.call_tool("society_inspect", {"agent": agent["name"]})
            print(agent["name"], robot.structured_content["state"])
        order = {"thing": "crate 7", "place": "bay 2"}
        print((await fleet.call_tool("call_fleet__carrier__bring", order)).content[0].text)

asyncio.run(main())
