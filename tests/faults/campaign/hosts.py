"""Hosts made of network namespaces, and the faults between them.

Everything lives in namespaces of its own (see begin_alone), so that nothing of this machine is
touched and nothing is left behind, however the program ends.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

NOBODY = "02:de:ad:00:00:00"  # a hardware address that no host has


def now():
    """The time in microseconds, on the clock of the diaries."""
    return time.monotonic_ns() // 1000


def ip(*words, check=True):
    run = subprocess.run(["ip", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         text=True)
    if check and run.returncode != 0:
        raise RuntimeError(f"ip {' '.join(words)}: {run.stderr.strip()}")


def why_not():
    """The reason why namespaces cannot be made here; empty if they can."""
    if os.geteuid() != 0:
        return "only root can make network namespaces; run it as root"
    for tool in ("ip", "unshare", "mount"):
        if shutil.which(tool) is None:
            return f"there is no command `{tool}` (packages iproute2, util-linux, mount)"
    made = subprocess.run(
        ["unshare", "-mnp", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
         "ip link add bridge0 type bridge && ip link add one type veth peer name two"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return "" if made.returncode == 0 else "namespaces cannot be made: " + made.stderr.strip()


def begin_alone(program):
    """Restarts the program in namespaces of its own, which end with it."""
    os.makedirs("/run/netns", exist_ok=True)
    os.execvpe("unshare", ["unshare", "-mnp", "--fork", "--kill-child", "--mount-proc",
                           sys.executable, *program],
               {**os.environ, "CORACLE_FAULTS_ALONE": "1", "PYTHONDONTWRITEBYTECODE": "1"})


def settle_in():
    """The first step in the new namespaces: names of hosts are visible only here."""
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run/netns"], check=True)
    ip("link", "set", "lo", "up")


class Hosts:
    """Hosts 1 to `count` on one LAN: a bridge with a pair of veths for each."""

    def __init__(self, name, subnet, count, sockets):
        self.name, self.subnet, self.count, self.sockets = name[:6], subnet, count, sockets
        for host in range(1, count + 1):
            ip("netns", "add", self.space(host))
        self.connect()
        for host in range(1, count + 1):
            space = self.space(host)
            ip("-n", space, "link", "set", "lo", "up")
            ip("-n", space, "link", "set", "eth0", "address", self.hardware(host))
            ip("-n", space, "address", "add", self.address(host) + "/24", "broadcast",
               f"10.{subnet}.0.255", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")

    def connect(self):
        ip("link", "add", f"{self.name}-br", "type", "bridge")
        ip("link", "set", f"{self.name}-br", "up")
        for host in range(1, self.count + 1):
            port = f"{self.name}-port{host}"
            ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns",
               self.space(host))
            ip("link", "set", port, "master", f"{self.name}-br", "up")

    def space(self, host):
        return f"{self.name}-{host}"

    def address(self, host):
        return f"10.{self.subnet}.0.{host}"

    def hardware(self, host):
        return f"02:00:00:00:{self.subnet:02x}:{host:02x}"

    def start(self, host, command, said, environment):
        """A program on a host. Its output goes to the file `said`. The folder for Unix sockets has
        the same name everywhere, but each program has another folder."""
        inside = 'mount -t tmpfs -o mode=0700 none "$XDG_RUNTIME_DIR" && exec "$@"'
        kept = {key: value for key, value in os.environ.items() if not key.startswith("CORACLE_")}
        with open(said, "ab") as end:
            return subprocess.Popen(
                ["ip", "netns", "exec", self.space(host), "sh", "-c", inside, "sh", *command],
                stdin=subprocess.DEVNULL, stdout=end, stderr=end,
                env={**kept, "XDG_RUNTIME_DIR": self.sockets, **environment})

    # --- faults; no program is notified of them ---

    def cut(self, source, target):
        """Cuts one direction: its packets are sent to a hardware address that no host has."""
        ip("-n", self.space(source), "neigh", "replace", self.address(target), "lladdr", NOBODY,
           "dev", "eth0", "nud", "permanent")

    def mend(self, source, target):
        ip("-n", self.space(source), "neigh", "del", self.address(target), "dev", "eth0",
           check=False)

    def link(self, host, state):
        """Sets the cable of a host up or down, at the far end."""
        ip("link", "set", f"{self.name}-port{host}", state)

    def plug(self, host, is_in):
        """Sets whether the cable of a host is in the switch. The host's own end notices nothing, so
        its system adds no delay of its own."""
        switch = ("master", f"{self.name}-br") if is_in else ("nomaster",)
        ip("link", "set", f"{self.name}-port{host}", *switch)

    def take_address(self, host):
        ip("-n", self.space(host), "-4", "address", "flush", "dev", "eth0")

    def give_address(self, host):
        ip("-n", self.space(host), "address", "add", self.address(host) + "/24", "broadcast",
           f"10.{self.subnet}.0.255", "dev", "eth0")


class WeatherHosts(Hosts):
    """Hosts on a switch in this machine's userland (switch.py), which delays, drops, doubles and
    swaps frames: this needs no netem in the kernel."""

    def connect(self):
        self.relay = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("switch.py")), self.name,
             str(self.count), str(random.getrandbits(32))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.relay.stdout.readline() != "ready\n":
            raise RuntimeError("the switch cannot be made; is there a /dev/net/tun?")
        for host in range(1, self.count + 1):
            ip("link", "set", f"{self.name}-tap{host}", "netns", self.space(host), "name", "eth0")

    def weather(self, **what):
        """Sets delay and jitter, in seconds; and loss, reorder and duplicate, as shares of all
        frames."""
        self.relay.stdin.write(" ".join(f"{key}={value}" for key, value in what.items()) + "\n")
        self.relay.stdin.flush()

    def carried(self):
        """Stops the switch, which carries nothing afterwards, and returns its counts."""
        self.relay.stdin.close()
        return self.relay.stdout.read().strip()
