"""Platforms as processes. Each obeys the language of README.md; this module gives its commands."""
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import queue
import shlex
import signal
import subprocess
import tempfile
import threading

LIMIT = 40  # seconds for an answer or an event; nothing waits so long unless something is broken


class Broken(Exception):
    """A scene is not true."""


class Refused(Exception):
    """A command failed."""


def hyphened(fields):
    """The fields as JSON has them: reply_with=... is "reply-with"; None is left out."""
    return {key.replace("_", "-"): value for key, value in fields.items() if value is not None}


def message(performative, *receivers, **fields):
    """A message to these agents, or names of agents with addresses."""
    return {"performative": performative, "receivers": [aid_of(each) for each in receivers],
            **hyphened(fields)}


def aid_of(agent):
    return agent if isinstance(agent, dict) else agent.aid


class Agent:
    """An agent of a platform: each verb is a method, and begin_VERB returns without waiting."""

    def __init__(self, platform, name):
        self.platform, self.name = platform, name
        self.aid = None
        self._events = {"message": queue.SimpleQueue(), "found": queue.SimpleQueue()}

    def __getattr__(self, verb):
        if verb.startswith("begin_"):
            return lambda **fields: self.platform.begin(verb[6:], agent=self.name, **fields)
        return lambda **fields: self.platform.do(verb, agent=self.name, **fields)

    def tell(self, performative, *receivers, **fields):
        self.send(message=message(performative, *receivers, **fields))

    def take(self, event):
        self._events[event["event"]].put(event)

    def receive(self):
        """The next message that the agent reports."""
        return self._next("message")["message"]

    def found(self):
        """The next notice of a DF."""
        return self._next("found")

    def has_nothing(self, *kinds):
        """Returns whether no event, or none of these kinds, waits."""
        return all(self._events[each].empty() for each in kinds or self._events)

    def _next(self, kind):
        try:
            return self._events[kind].get(timeout=LIMIT)
        except queue.Empty:
            raise Broken(f"{self.name} of {self.platform.name} waits for a {kind}") from None


class Platform:
    """One process with the agents of one platform, and the folder in which it runs."""

    def __init__(self, command, name):
        self._command, self.name = command, name
        self._numbers = itertools.count(1)
        self._folder = tempfile.TemporaryDirectory(prefix="interop-")
        self._process = None
        self._port = 0
        self._start()

    def _start(self):
        self._open, self.agents, self._used = {}, {}, collections.Counter()
        self._ready = concurrent.futures.Future()
        with open(self._log(), "ab") as log:
            self._process = subprocess.Popen(
                [*shlex.split(self._command), "--platform", self.name, "--port", str(self._port)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=self._folder.name,
                encoding="utf-8", bufsize=1, start_new_session=True)
        self._thread = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._thread.start()

    def wait(self):
        """Returns when the platform is ready for commands."""
        try:
            ready = self._ready.result(LIMIT)
        except (Refused, TimeoutError) as why:
            self.kill()
            lines = "\n".join(self.last_lines())
            raise Broken(f"{self.name} did not start: {why!r}\n{lines}") from None
        self.address, self.ams, self.df = ready["address"], ready["ams"], ready["df"]
        self.charset, self.player = ready["charset"], ready["player"]
        self.offers = set(ready.get("offers", ()))
        self._port = port_in(self.address)
        return self

    def _read(self, process):
        end = f"the process of {self.name} has ended"
        try:
            for line in process.stdout:
                self._take(json.loads(line))
        except (ValueError, KeyError) as why:
            end = f"{self.name} printed a line that cannot be read ({why!r}): {line[:200]}"
        for each in [self._ready, *self._open.values()]:
            if not each.done():
                each.set_exception(Refused(end))

    def _take(self, line):
        if line.get("event") == "ready":
            self._ready.set_result(line)
        elif "event" in line:
            if line["agent"] in self.agents:
                self.agents[line["agent"]].take(line)
        elif "error" in line:
            self._open.pop(line["id"]).set_exception(Refused(line["error"]))
        else:
            self._open.pop(line["id"]).set_result(line["ok"])

    def begin(self, verb, **fields):
        answer = concurrent.futures.Future()
        id = next(self._numbers)
        self._open[id] = answer
        line = json.dumps({"id": id, "do": verb.replace("_", "-"), **hyphened(fields)})
        try:
            self._process.stdin.write(line + "\n")
        except BrokenPipeError:
            self._open.pop(id)
            answer.set_exception(Refused(f"the process of {self.name} has ended"))
        return answer

    def do(self, verb, **fields):
        return result(self.begin(verb, **fields), f"{verb} of {self.name}")

    def agent(self, name, **options):
        return self.make([name], **options)[0]

    def make(self, names, **options):
        """Several agents at once. A number makes each name new, as JADE frees names late."""
        made = [Agent(self, self._new(name)) for name in names]
        self.agents.update({each.name: each for each in made})
        answers = [self.begin("agent", agent=each.name, **options) for each in made]
        for agent, answer in zip(made, answers):
            agent.aid = result(answer, f"agent {agent.name}")["aid"]
        return made

    def _new(self, name):
        self._used[name] += 1
        return name if self._used[name] == 1 else f"{name}-{self._used[name]}"

    def clear(self):
        """Ends all agents."""
        answers = [self.begin("end", agent=name) for name in self.agents]
        for each in answers:
            result(each, "end")
        self.agents = {}

    def kill(self):
        """Ends the process, and those that it started, without a warning."""
        if self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._await_end()

    def restart(self):
        """A new process, with the same name and the same address."""
        self._start()
        return self.wait()

    def quit(self):
        """Ends the process; it must leave by itself, without a failure."""
        self._process.stdin.close()
        try:
            code = self._await_end()
        except subprocess.TimeoutExpired:
            self.kill()
            code = "a signal, because it ignored the end of its input"
        self._folder.cleanup()
        if code != 0:
            raise Broken(f"the process of {self.name} ended with {code}")

    def _await_end(self):
        code = self._process.wait(LIMIT)
        self._thread.join(LIMIT)
        self._process.stdout.close()
        return code

    def _log(self):
        return pathlib.Path(self._folder.name) / "stderr.txt"

    def last_lines(self, number=15):
        """The end of the output for people, to explain a failure."""
        return self._log().read_text(errors="replace").splitlines()[-number:]


def port_in(address):
    """The port in http://HOST:PORT/acc, corbaloc::HOST:PORT/acc, or an IOR of our player."""
    if not address.startswith("IOR:"):
        return int(address.rsplit(":", 1)[1].split("/")[0])
    profile = bytes.fromhex(address[4:])
    host = profile.index(b"127.0.0.1\0") + 10
    return int.from_bytes(profile[host:host + 2], "big")


def result(answer, name):
    try:
        return answer.result(LIMIT)
    except concurrent.futures.TimeoutError:
        raise Broken(f"there is no answer to {name}") from None


def start(*commands_and_names):
    """Platforms that start at the same time."""
    platforms = [Platform(*each) for each in commands_and_names]
    return [each.wait() for each in platforms]
