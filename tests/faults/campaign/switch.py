#!/usr/bin/env python3
"""switch.py NAME COUNT SEED: a switch in userland between the devices NAME-tap1 … NAME-tapCOUNT.

A line such as "loss=0.05 delay=0.02 jitter=0.25 reorder=0.02 duplicate=0.01" on its input sets its
treatment of each later frame; a missing value is zero. Frames between two hosts keep their order,
except those that `reorder` picks, which go at once. Ends with its input, and prints counts.
"""
import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

TUNSETIFF, TAP_WITHOUT_HEADER = 0x400454CA, 0x1002


def device(name):
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", name.encode(), TAP_WITHOUT_HEADER))
    return file


class Switch:
    def __init__(self, files, dice):
        self.files, self.dice = files, dice
        self.weather = {}
        self.queue, self.number = [], 0
        self.last = {}  # the arrival time of the last frame from one host to another
        self.counts = dict.fromkeys(("carried", "lost", "reordered", "doubled"), 0)

    def take(self, source, frame):
        """The last byte of a hardware address is the number of its host."""
        if frame[0] & 1:
            targets = [host for host in self.files if host != source]
        else:
            targets = [frame[5]] if frame[5] in self.files and frame[:2] == b"\x02\x00" else []
        for target in targets:
            self.send(source, target, frame)

    def send(self, source, target, frame):
        share = lambda what: self.dice.random() < self.weather.get(what, 0)
        if share("loss"):
            self.counts["lost"] += 1
            return
        when = time.monotonic()
        if share("reorder"):
            self.counts["reordered"] += 1
        else:
            late = self.dice.random() * self.weather.get("jitter", 0)
            when += self.weather.get("delay", 0) + late
            when = max(when, self.last.get((source, target), 0))
            self.last[source, target] = when
        copies = 1
        if share("duplicate"):
            self.counts["doubled"] += 1
            copies = 2
        for _ in range(copies):
            self.number += 1
            heapq.heappush(self.queue, (when, self.number, target, frame))

    def deliver(self):
        """Returns the time until the next frame is due."""
        while self.queue:
            wait = self.queue[0][0] - time.monotonic()
            if wait > 0:
                return wait
            _, _, target, frame = heapq.heappop(self.queue)
            try:
                os.write(self.files[target], frame)
                self.counts["carried"] += 1
            except OSError:
                self.counts["lost"] += 1  # the device is down, or full
        return None


def main():
    name, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    files = {host: device(f"{name}-tap{host}") for host in range(1, count + 1)}
    switch = Switch(files, random.Random(seed))
    hosts = {file: host for host, file in files.items()}
    print("ready", flush=True)
    while True:
        readable, _, _ = select.select([sys.stdin, *hosts], [], [], switch.deliver())
        for file in readable:
            if file is sys.stdin:
                line = sys.stdin.readline()
                if not line:
                    print(" ".join(f"{key}={value}" for key, value in switch.counts.items()))
                    return
                switch.weather = {key: float(value) for key, value in
                                  (word.split("=") for word in line.split())}
                continue
            for _ in range(64):
                try:
                    switch.take(hosts[file], os.read(file, 65536))
                except OSError:
                    break


if __name__ == "__main__":
    main()
