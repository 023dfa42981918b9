"""Judges the diaries of the nodes of one society (see fault_node.cpp)."""
import collections
import pathlib


class Pair:
    """The messages of one incarnation of a writer to one reader. Their numbers begin at one and
    have no gap."""

    def __init__(self):
        self.accepted = 0
        self.unread = collections.deque()  # (number, time of acceptance)
        self.next = 1                      # to be read for the first time
        self.missing = set()               # below that
        self.last = 0                      # the number that was read last
        self.told_consumed = set()         # and not seen in a reader's diary yet
        self.told_stored = set()
        self.otherwise = {}                # number: outcome other than consumed

    def has_read(self, number):
        return number < self.next and number not in self.missing

    def waits(self, before):
        """The number of messages accepted before that time that were neither read nor ended."""
        while self.unread and (self.has_read(self.unread[0][0])
                               or self.unread[0][0] in self.otherwise):
            self.unread.popleft()
        return sum(1 for number, when in self.unread if when <= before
                   and not self.has_read(number) and number not in self.otherwise)


class Judge:
    """Reads the diaries as they grow."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.diaries = {}  # (node, incarnation): [file, an incomplete line]
        self.pairs = collections.defaultdict(Pair)  # by (writer's node, incarnation, reader's node)
        self.dead = set()  # (node, incarnation) of those that were killed
        self.begun = set()
        self.accounts = {}
        self.seen = {}     # (watcher, node): whether the watcher sees it there
        self.endings = []  # (time, watcher, node, reason)
        self.missed = []   # (time, watcher, node): from then on the watcher did not see it
        self.violations = []
        self.counts = collections.Counter()

    def blame(self, what):
        self.violations.append(what)

    def diary(self, node, life):
        path = self.folder / f"{node}.{life}.diary"
        self.diaries[node, str(life)] = [open(path, "ab+"), b""]
        self.diaries[node, str(life)][0].seek(0)
        return str(path)

    def bury(self, node, life):
        """Notes that the node will write nothing more."""
        self.read()
        self.diaries.pop((node, life))[0].close()
        self.dead.add((node, life))

    def read(self):
        for (node, life), diary in self.diaries.items():
            text = diary[0].read()
            if not text:
                continue
            lines = (diary[1] + text).split(b"\n")
            diary[1] = lines.pop()
            for line in lines:
                self.line(node, life, line.decode())

    def line(self, node, life, line):
        kind, _, rest = line.partition(" ")
        words = rest.split(" ")
        when = int(words.pop())
        if kind == "R":
            self.on_read(node, words, when)
        elif kind == "A":
            pair = self.pairs[node, life, words[0]]
            pair.accepted = int(words[1])
            pair.unread.append((pair.accepted, when))
            self.counts["accepted"] += 1
        elif kind == "O":
            self.on_outcome(self.pairs[node, life, words[0]], int(words[1]), words[2])
        elif kind == "T":
            self.pairs[node, life, words[0]].told_stored.add(int(words[1]))
        elif kind == "V":
            self.seen[node, words[0]] = True
        elif kind == "W":
            self.seen[node, words[0]] = False
            self.missed.append((when, node, words[0]))
            if words[1] != "absent":
                self.endings.append((when, node, words[0], words[1]))
        elif kind == "B":
            self.begun.add((node, life))
        elif kind == "E":
            self.blame(f"node {node}: {' '.join(words)}")
        elif kind == "L":
            self.accounts[node, life] = " ".join(words[1:])
            if words[0] != "1":
                self.blame(f"the account of node {node} does not hold: {' '.join(words[1:])}")

    def on_outcome(self, pair, number, outcome):
        self.counts[outcome] += 1
        if outcome != "consumed":
            pair.otherwise[number] = outcome
        elif not pair.has_read(number):
            pair.told_consumed.add(number)

    def on_read(self, reader, words, when):
        writer, life, number, mark = words[0], words[1], int(words[2]), words[3] == "1"
        pair = self.pairs[writer, life, reader]
        which = f"message {number} of {writer}.{life} to {reader}"
        self.counts["read"] += 1
        self.counts["marked"] += mark
        if pair.has_read(number):
            self.counts["again"] += 1
            if not mark:
                self.blame(f"{which} came again, without its mark")
        elif number < pair.next:
            pair.missing.discard(number)
            self.blame(f"{which} came after number {pair.next - 1}")
        else:
            pair.missing.update(range(pair.next, number))
            pair.next = number + 1
        pair.last = number
        pair.told_consumed.discard(number)

    def waiting(self, before, nodes):
        """The number of unread messages between these nodes (a set of (node, incarnation))."""
        alive = {node for node, _ in nodes}
        return sum(pair.waits(before) for (node, life, reader), pair in self.pairs.items()
                   if (node, life) in nodes and reader in alive)

    def sees_all(self, nodes):
        """Returns whether each of these nodes sees each other one."""
        return all(self.seen.get((str(watcher), str(node)))
                   for watcher in nodes for node in nodes if watcher != node)

    def noticed(self, node, since, by):
        """The times at which `by` were first notified of the node's end, at or after `since`."""
        found = {}
        for when, watcher, whom, _ in self.endings:
            if whom == node and watcher in by and when >= since:
                found.setdefault(watcher, when)
        return found

    def finish(self):
        """Looks for missing messages, when nothing more will come."""
        self.read()
        for (node, life, reader), pair in self.pairs.items():
            which = f"of {node}.{life} to {reader}"
            is_dead = (node, life) in self.dead
            if pair.told_consumed:
                self.blame(f"{len(pair.told_consumed)} messages {which} were said to be consumed, "
                           f"and nobody has read them: {sorted(pair.told_consumed)[:5]}")
            if pair.next - 1 > pair.accepted + 1:
                self.blame(f"message {pair.next - 1} {which} was never sent")
            # A message that was read had been sent, even if its sender could not note it.
            gone = sorted(pair.missing | set(range(pair.next, pair.accepted + 1)))
            lost = [number for number in gone if number not in pair.otherwise]
            self.counts["ended otherwise"] += len(gone) - len(lost)
            if not lost:
                continue
            if not is_dead:
                self.counts["lost"] += len(lost)
                self.blame(f"{len(lost)} messages {which} are lost: {lost[:5]} "
                           f"of {pair.accepted}, {pair.next - 1} was read last")
                continue
            self.counts["store lost"] += len(lost)
            if told := sorted(pair.told_stored & set(lost)):
                self.blame(f"messages {which} were said to be stored, and are lost: {told[:5]}")
            if within := [number for number in lost if number < pair.next]:
                self.blame(f"messages {which} are lost before others that were read: {within[:5]}")
        self.counts["said to be stored"] = sum(len(p.told_stored) for p in self.pairs.values())
        for diary in self.diaries.values():
            diary[0].close()


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None
