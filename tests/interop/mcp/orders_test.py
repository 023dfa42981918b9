"""The example of the manual with a client of fastmcp.   orders_test.py ORDERS

ORDERS is the program of examples/52_orders.cpp.
"""
import os
import subprocess
import sys

CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "orders.py")
PIPE = subprocess.PIPE
with subprocess.Popen([sys.argv[1], "127.0.0.1:0"], stdout=PIPE, text=True) as fleet:
    try:
        address = fleet.stdout.readline().split()[-1]
        done = subprocess.run([sys.executable, "-B", CLIENT, address], capture_output=True,
                              text=True, timeout=60, check=False)
    finally:
        fleet.terminate()
wanted = ["fleet/carrier waits at the dock", "fleet/sweeper sweeps hall 2", '"at once"']
if done.stdout.splitlines() != wanted:
    raise SystemExit(f"{done.stdout}\n{done.stderr[-3000:]}")
if fleet.returncode != 0:
    raise SystemExit(f"the fleet has ended with {fleet.returncode}")
