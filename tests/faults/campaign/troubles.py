"""The faults of a campaign, drawn by a seed."""
import math
import signal

# The number of each kind in a deck. The first ten cut the network in parts.
DECK = {
    "pair": 3,            # two nodes receive nothing from each other
    "one way": 3,         # one node receives nothing from the other
    "flapping": 1,        # two nodes become unreachable for each other again and again
    "alone": 2,           # a node is cut off from all others
    "deaf": 1,            # it receives nothing, but can send
    "mute": 1,            # it cannot send, but receives
    "halves": 2,          # the nodes are parted; one part has the directories
    "cable": 2,           # the link of a host is down
    "address": 1,         # its interface loses the address
    "no directory": 1,    # a node and the directory receive nothing from each other
    "pause": 3,           # SIGSTOP of a node
    "kill": 4,            # SIGKILL of a node, which restarts after a while
    "restart": 2,         # the directory is killed, and restarts
    "directory rests": 1,  # SIGSTOP of the directory
}
PARTITIONS = list(DECK)[:10]
# A silent node is noticed after a while; a silence as short as this must have no effect.
FORGIVEN = 2.0


class Trouble:
    """One fault, for `span` seconds."""

    def __init__(self, kind, span, who, other, half=()):
        self.kind, self.span, self.who, self.other, self.half = kind, span, who, other, half

    def __str__(self):
        whom = {"pair": f"{self.who} and {self.other}", "flapping": f"{self.who} and {self.other}",
                "one way": f"from {self.who} to {self.other}",
                "halves": f"{list(self.half)} without the directory",
                "restart": f"of {self.other}", "directory rests": f"on {self.other}",
                }.get(self.kind, f"{self.who}")
        return f"{self.kind} {whom}, {self.span:.2f} s"

    def silenced(self):
        """The nodes from which the directory receives nothing, or the other way round."""
        if self.kind == "halves":
            return set(self.half)
        if self.kind in ("alone", "deaf", "mute", "cable", "address", "no directory", "pause",
                         "kill"):
            return {self.who}
        return set()

    def is_partition(self):
        return self.kind in PARTITIONS

    def falls_silent(self):
        """Returns whether all others receive nothing from silenced() from the beginning on."""
        return self.kind in ("alone", "mute", "cable", "address", "pause", "halves")

    def ways(self, society):
        """The connections that are cut."""
        everybody = [*society.peers, *society.directories]
        if self.kind in ("pair", "flapping"):
            return [(self.who, self.other), (self.other, self.who)]
        if self.kind == "one way":
            return [(self.who, self.other)]
        out = [(self.who, host) for host in everybody if host != self.who]
        back = [(target, source) for source, target in out]
        if self.kind == "halves":
            rest = [host for host in everybody if host not in self.half]
            return [way for one in self.half for two in rest for way in ((one, two), (two, one))]
        if self.kind == "no directory":
            return [way for place in society.directories
                    for way in ((self.who, place), (place, self.who))]
        return {"alone": out + back, "deaf": back, "mute": out}.get(self.kind, [])

    def begin(self, society):
        hosts = society.hosts
        if self.kind == "cable":
            hosts.link(self.who, "down")
        elif self.kind == "address":
            hosts.take_address(self.who)
        elif self.kind == "pause":
            society.signal(society.nodes[self.who][1], signal.SIGSTOP)
        elif self.kind == "kill":
            society.kill_node(self.who)
        elif self.kind == "restart":
            society.end_directory(self.other)
        elif self.kind == "directory rests":
            society.signal(society.services[self.other], signal.SIGSTOP)
        for way in self.ways(society):
            hosts.cut(*way)

    def last(self, society):
        if self.kind != "flapping":
            return society.wait(self.span)
        for _ in range(max(1, int(self.span / 0.6))):
            society.wait(0.3)
            for way in self.ways(society):
                society.hosts.mend(*way)
            society.wait(0.3)
            for way in self.ways(society):
                society.hosts.cut(*way)

    def end(self, society):
        hosts = society.hosts
        if self.kind == "cable":
            hosts.link(self.who, "up")
        elif self.kind == "address":
            hosts.give_address(self.who)
        elif self.kind == "pause":
            society.signal(society.nodes[self.who][1], signal.SIGCONT)
        elif self.kind == "kill":
            society.start_node(self.who)
        elif self.kind == "restart":
            society.start_directory(self.other)
        elif self.kind == "directory rests":
            society.signal(society.services[self.other], signal.SIGCONT)
        for way in self.ways(society):
            hosts.mend(*way)


def drawn(dice, nodes, directories):
    """An endless sequence of faults, each kind as often as it is in the deck."""
    spread = lambda least, most: math.exp(dice.uniform(math.log(least), math.log(most)))
    while True:
        deck = [kind for kind, count in DECK.items() for _ in range(count)]
        dice.shuffle(deck)
        for kind in deck:
            who, other = dice.sample(nodes, 2)
            half = sorted(dice.sample(nodes, dice.randint(1, len(nodes) - 1)))
            if kind == "pause":
                span = spread(0.1, 60)
            elif kind in ("kill", "restart", "directory rests"):
                span = spread(0.1, 6)
                other = other if kind == "kill" else dice.choice(directories)
            else:
                span = spread(0.3, 6) if dice.random() < 0.75 else dice.uniform(8, 12)
            yield Trouble(kind, span, who, other, half)
