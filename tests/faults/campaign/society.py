"""A society of the Distributed realization whose nodes are on hosts of their own."""
import pathlib
import signal
import subprocess
import threading
import time

import judge
from hosts import now

PORT = 4410


class Society:
    """Nodes on some of the hosts, directories on others. A node is known by its host's number."""

    def __init__(self, hosts, programs, folder, nodes, directories, rate=40, by_beacon=False):
        self.hosts, self.programs, self.rate = hosts, programs, rate
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.judge = judge.Judge(folder)
        self.peers, self.directories = nodes, directories
        self.by_beacon = by_beacon
        self.nodes = {}     # host: (incarnation, process)
        self.services = {}  # host: process
        self.lives = dict.fromkeys(nodes, 0)
        self.key = subprocess.run([programs["coracle"], "keys", "--society-key"], check=True,
                                  capture_output=True, text=True).stdout.strip()
        self.stop = threading.Event()

    # --- the running nodes ---

    def realization(self):
        if self.by_beacon:
            return "distributed:"
        places = ",".join(f"{self.hosts.address(host)}:{PORT}" for host in self.directories)
        return f"distributed:society=campaign&directory={places}"

    def start_directory(self, host):
        self.services[host] = self.hosts.start(
            host, [self.programs["coracle"], "directory", "--listen",
                   f"{self.hosts.address(host)}:{PORT}", "--society", "campaign"],
            self.folder / f"directory{host}.log", {"CORACLE_KEY": self.key})

    def end_directory(self, host):
        process = self.services.pop(host)
        process.kill()
        process.wait()

    def start_node(self, host):
        self.lives[host] += 1
        life = self.lives[host]
        diary = self.judge.diary(str(host), life)
        others = [str(peer) for peer in self.peers if peer != host]
        self.nodes[host] = (life, self.hosts.start(
            host, [self.programs["node"], self.realization(), diary, str(host), str(life),
                   str(self.rate), *others],
            self.folder / f"{host}.{life}.log", {"CORACLE_KEY": self.key}))

    def kill_node(self, host):
        life, process = self.nodes.pop(host)
        process.kill()
        process.wait()
        self.judge.bury(str(host), str(life))

    def signal(self, process, what):
        process.send_signal(what)

    def alive(self):
        return {(str(host), str(life)) for host, (life, _) in self.nodes.items()}

    # --- waiting for events ---

    def until(self, met, limit):
        """Reads diaries until `met`; returns the seconds it took, or None if it did not happen."""
        begin = time.monotonic()
        while True:
            self.judge.read()
            if met():
                return time.monotonic() - begin
            if time.monotonic() - begin > limit or self.stop.is_set():
                return None
            self.stop.wait(0.04)

    def wait(self, span):
        self.until(lambda: False, span)

    def await_begun(self, limit=30):
        if self.until(lambda: self.alive() <= self.judge.begun, limit) is None:
            self.judge.blame(f"not all nodes had begun after {limit} s: "
                             f"{sorted(self.alive() - self.judge.begun)}")

    def drained(self, since, limit):
        """The seconds after `since` until everything accepted by then had been read."""
        took = self.until(lambda: self.judge.waiting(since, self.alive()) == 0, limit)
        return None if took is None else (now() - since) / 1e6

    def everybody_heard(self, limit=30):
        """Returns whether each node reads, from now on, a new message of each other node."""
        nodes = self.alive()
        since = now()
        fresh = lambda: all(
            self.judge.pairs[node, life, reader].accepted > before
            for (node, life, reader), before in start.items())
        start = {(node, life, reader): self.judge.pairs[node, life, reader].accepted + 5
                 for node, life in nodes for reader, _ in nodes if reader != node}
        return (self.until(fresh, limit) is not None
                and self.drained(max(since, now()), limit) is not None)

    # --- the end ---

    def finish(self, limit=15):
        """Lets everything come to its end, and checks the ledgers of all nodes."""
        for life, process in self.nodes.values():
            self.signal(process, signal.SIGUSR1)
        self.wait(0.2)
        if self.drained(now(), limit) is None:
            self.judge.blame(f"{self.judge.waiting(now(), self.alive())} messages had not been "
                             f"read {limit} s after the last was sent")
        self.wait(0.3)  # until the announcement comes back
        for _, process in self.nodes.values():
            self.signal(process, signal.SIGTERM)
        for host, (life, process) in self.nodes.items():
            try:
                if process.wait(20) != 0:
                    self.judge.blame(f"node {host}.{life} ended with {process.returncode}: "
                                     f"see {self.folder / f'{host}.{life}.log'}")
            except subprocess.TimeoutExpired:
                self.judge.blame(f"node {host}.{life} did not end when it was told to")
                process.kill()
        for host in list(self.services):
            self.end_directory(host)
        self.judge.finish()
