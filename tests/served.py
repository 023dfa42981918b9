#!/usr/bin/env python3
"""served.py CORACLE COMMAND...: runs COMMAND in a society that `CORACLE central` serves.

Its nodes find the clearinghouse by CORACLE_REALIZATION. Ends as COMMAND does, or with 1 when the
clearinghouse does not serve, or does not end properly on request.
"""
import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    place = folder + "/server"
    server = subprocess.Popen([sys.argv[1], "central", "--listen", "unix://" + place],
                              stdout=subprocess.PIPE, text=True)
    try:
        if not server.stdout.readline():  # it prints its address when it serves
            sys.exit("the clearinghouse does not serve")
        run = subprocess.run(sys.argv[2:], env={
            **os.environ, "CORACLE_REALIZATION": "central+unix://" + place})
    finally:
        server.terminate()
        code = server.wait()
    sys.exit(run.returncode or ("the clearinghouse ended with %d" % code if code else 0))
