"""The labs of a campaign. Each lab is a society on a LAN of its own, and runs beside the others;
its results are in its judge, its figures and its counts."""
import collections
import random
import signal
import threading
import time
import traceback

import troubles
from hosts import Hosts, WeatherHosts, now
from society import Society

DRAINED_WITHIN, NOTICED_WITHIN = 10.0, 5.0  # seconds; see docs/promises.md
HEALED_WITHIN = 2.0  # seconds


class Lab(threading.Thread):
    def __init__(self, name, settings):
        super().__init__(name=name, daemon=True)
        self.settings = settings  # programs, folder, seconds, seed, is_short, say
        self.figures = collections.defaultdict(list)  # by the measured quantity
        self.counts = collections.Counter()
        self.society = None
        self.failures = []

    def run(self):
        try:
            self.play()
        except Exception:  # nobody catches what a thread throws
            self.failures.append(traceback.format_exc())

    def found(self):
        """Returns sentences that describe what is wrong."""
        return self.failures + (self.society.judge.violations if self.society else [])

    def say(self, text):
        self.settings.say(self.name, text)

    def make(self, subnet, nodes, directories, hosts=Hosts, **more):
        here = hosts(self.name, subnet, len(nodes) + len(directories), self.settings.sockets)
        self.society = Society(here, self.settings.programs,
                               f"{self.settings.folder}/{self.name}", nodes, directories, **more)
        for place in directories:
            self.society.start_directory(place)
        return self.society


class Troubled(Lab):
    """One fault after the other; after each, everything comes to its end in time."""

    def __init__(self, name, settings, number, directories):
        super().__init__(name, settings)
        self.number = number
        self.places = [4 + place for place in range(1, directories + 1)]
        self.silences = []  # (begin, end, nodes): spans in which ends may be announced

    def plan(self, society):
        if self.settings.is_short:
            yield from (troubles.Trouble("pair", 1.0, 1, 2), troubles.Trouble("kill", 0.2, 3, 1),
                        troubles.Trouble("alone", 1.2, 2, 1), troubles.Trouble("cable", 1.0, 4, 1),
                        troubles.Trouble("restart", 0.3, 1, self.places[0]),
                        troubles.Trouble("one way", 0.8, 4, 3))
            return
        end = time.monotonic() + self.settings.seconds
        dice = random.Random(f"{self.settings.seed} {self.number}")
        for trouble in troubles.drawn(dice, society.peers, society.directories):
            if time.monotonic() + trouble.span + DRAINED_WITHIN > end:
                return
            yield trouble

    def play(self):
        society = self.make(30 + self.number, [1, 2, 3, 4], self.places)
        for node in society.peers:
            society.start_node(node)
        society.await_begun()
        society.wait(0.5)
        for trouble in self.plan(society):
            self.suffer(society, trouble)
            society.wait(0.3)
        end = now()
        society.finish()
        self.look_for_alarms(end)

    def suffer(self, society, trouble):
        """One fault, and the recovery from it."""
        judge = society.judge
        society.judge.read()
        others = [str(node) for node in society.peers if node not in trouble.silenced()]
        sees = [one for one in others
                if all(judge.seen.get((one, str(node))) for node in trouble.silenced())]
        begin = now()
        trouble.begin(society)
        trouble.last(society)
        trouble.end(society)
        healed = now()
        is_dead = trouble.kind == "kill"
        if trouble.span > troubles.FORGIVEN or is_dead:
            self.silences.append((begin, healed + 10_000_000, trouble.silenced()))
        limit = DRAINED_WITHIN * (6 if self.settings.is_short else 1)
        if is_dead:
            society.await_begun(2 * limit)
        took = society.drained(healed, limit)
        if took is None:
            judge.blame(f"after {trouble}: {judge.waiting(healed, society.alive())} messages had "
                        f"not been read {limit:.0f} s after healing")
            took = society.drained(healed, 60)
        if took is not None:
            self.figures["drained"].append(took)
        self.counts[trouble.kind] += 1
        self.counts["partitions"] += trouble.is_partition()
        if is_dead or (trouble.falls_silent() and trouble.span >= 8):
            kind = "noticed dead" if is_dead else "noticed silent"
            for node in trouble.silenced():
                when = judge.noticed(str(node), begin, sees)
                self.counts["not noticed"] += len(sees) - len(when)
                self.figures[kind] += [(told - begin) / 1e6 for told in when.values()]
        self.say(f"{trouble}: " + ("not drained" if took is None else f"drained in {took:.2f} s"))

    def look_for_alarms(self, end):
        for when, watcher, node, reason in self.society.judge.endings:
            if when >= end:
                continue
            at = [who for begin, until, who in self.silences if begin <= when <= until]
            if any(int(node) in who or int(watcher) in who for who in at):
                continue
            self.counts["false alarms"] += 1
            if not self.settings.is_short:  # in that case, the machine may be busy
                self.society.judge.blame(f"node {watcher} was told that node {node} is {reason}, "
                                         "which had been silent for a moment at most")


class Weather(Lab):
    """Frames are late, lost, doubled and reordered; no node is dead or may be declared dead."""

    LONG = {"delay": 0, "jitter": 0.25, "loss": 0.05}

    def phases(self):
        if self.settings.is_short:
            return [(2.5, {"jitter": 0.05, "loss": 0.05, "reorder": 0.05, "duplicate": 0.01})]
        seconds = self.settings.seconds
        phases = [(min(300, 0.4 * seconds), self.LONG)]
        rest = [{"loss": 0.01, "delay": 0.02, "jitter": 0.02, "reorder": 0.05},
                {"delay": 0.1, "jitter": 0.1, "reorder": 0.05, "duplicate": 0.01},
                {"loss": 0.05, "reorder": 0.25, "jitter": 0.02},
                {"loss": 0.2, "jitter": 0.02, "duplicate": 0.01},
                {"loss": 0.2, "delay": 0.1, "jitter": 0.1, "reorder": 0.25, "duplicate": 0.01}]
        share = (seconds - phases[0][0] - DRAINED_WITHIN) / len(rest) - 5
        return phases + [(share, weather) for weather in rest]

    def play(self):
        society = self.make(40, [1, 2, 3, 4], [5], hosts=WeatherHosts, rate=10)
        for node in society.peers:
            society.start_node(node)
        society.await_begun()
        for seconds, weather in self.phases():
            begin, before = now(), society.judge.counts["read"]
            society.hosts.weather(**weather)
            society.wait(seconds)
            end = now()
            society.hosts.weather()
            took = society.drained(end, 60)
            if took is None:
                society.judge.blame(f"after {weather}: not drained in 60 s")
            else:
                self.figures["drained"].append(took)
            alarms = sum(begin <= when <= end for when, *_ in society.judge.endings)
            if weather is self.LONG:
                self.counts["minutes of jitter"] = round(seconds / 60, 1)
                self.counts["alarms in jitter"] = alarms
                if alarms:
                    society.judge.blame(f"{alarms} times a live node was said to be dead")
            else:
                self.counts["alarms in worse weather"] += alarms
            read = society.judge.counts["read"] - before
            self.say(f"{weather} for {seconds:.0f} s: {read} messages read, {alarms} alarms, "
                     "drained in " + ("no time" if took is None else f"{took:.2f} s"))
        society.finish()
        self.say("the switch: " + society.hosts.carried())


class Scene(Lab):
    """Requires that an event was seen once."""

    def demand(self, is_so, what):
        self.counts["seen"] += bool(is_so)
        self.say(("seen: " if is_so else "NOT SEEN: ") + what)
        if not is_so:
            self.society.judge.blame("not seen: " + what)


class Beacon(Scene):
    """Nodes that know nothing but the key."""

    def play(self):
        society = self.make(50, [1, 2, 3, 4], [], by_beacon=True)
        for node in (1, 2, 3):
            society.start_node(node)
        society.await_begun()
        self.demand(society.everybody_heard(), "hosts find each other with nothing but a key")
        society.kill_node(1)
        self.demand(society.everybody_heard(), "a node is killed, and the others go on")
        society.start_node(4)
        society.await_begun()
        self.demand(society.everybody_heard(), "who comes later finds them")
        society.start_node(1)
        society.await_begun()
        self.demand(society.everybody_heard(), "who comes back finds them")
        society.finish()


class Cables(Scene):
    """Nodes that know nothing but the key, and whose hosts lose their cable one by one."""

    def play(self):
        society = self.make(52, [1, 2, 3], [], by_beacon=True)
        for node in society.peers:  # the first one carries the directory
            society.start_node(node)
            society.await_begun()
        self.demand(society.everybody_heard(), "hosts find each other with nothing but a key")
        if self.settings.is_short:
            self.unplug(society, 1, out=9, watched=5)
        else:
            for host in (1, 2, 3) * 3:
                self.unplug(society, host, out=15, watched=8)
        society.finish()

    def unplug(self, society, host, out, watched):
        society.hosts.plug(host, False)
        society.wait(out)
        begin = now()
        society.hosts.plug(host, True)
        took = society.until(lambda: society.judge.sees_all(society.peers), 30)
        took = 30.0 if took is None else took
        self.figures["names back"].append(took)
        self.demand(took <= HEALED_WITHIN,
                    f"all names are there {took:.2f} s after host {host} has its cable again")
        society.wait(watched)
        gone = [each for each in society.judge.missed if each[0] > begin + took * 1e6]
        self.demand(not gone, "and none is gone again" + (f": {gone}" if gone else ""))


class Directories(Scene):
    """Two directories on hosts of their own, of which one hangs."""

    def play(self):
        society = self.make(51, [1, 2, 3], [4, 5])
        for node in (1, 2):
            society.start_node(node)
        society.await_begun()
        begin = now()
        society.signal(society.services[4], signal.SIGSTOP)
        society.start_node(3)
        society.await_begun()
        self.demand(society.everybody_heard(), "a directory that hangs is followed by the next")
        society.signal(society.services[4], signal.SIGCONT)
        self.demand(society.everybody_heard(), "it goes on, and so does everybody")
        society.wait(2.5)
        society.end_directory(5)
        society.wait(0.5)
        self.demand(society.everybody_heard(), "all have met at the first again")
        endings = [each for each in society.judge.endings if each[0] >= begin]
        self.demand(not endings or self.settings.is_short, "and nobody was told of an ending")
        society.finish()
