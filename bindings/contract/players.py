"""Players act as agents in some language; this module gives them their commands.

A player is a program that is started as `PLAYER by_loop|by_threads`. It obeys the lines that it
reads until there are no more:

    NUMBER VERB key=value ...       in a value, %XX stands for a byte

Each command has an answer, in any order, because an operation may take long:

    NUMBER ok key=value ...
    NUMBER error code=N text=...    the code of <coracle.h>

verbs: begin    a society, on the realization of that key: the player opens a node
       end      the society: the node is closed, and all that the player keeps is given back
       open close send track reached ask reply refuse receive try_receive receive_many conversation
       join leave members overhear stop_overhearing describe search watch
       acknowledge keep_open free give_back cancel stop
keys:  agent    the agent that acts; `open` makes it
       keep     the message of the answer is kept, and later named by message=NUMBER of its receive
       receipt  the number of the command `track` that gave the receipt
A message is answered as source, target, type, text, conversation, tap, gap, request, redelivered,
earlier, kind, and header.KEY for each header; without one, there is no text. One that was overheard
may have gap_reason, notice, outcome, drop_reason and receiver, too.
"""
import itertools
import os
import subprocess
import tempfile
import threading
import urllib.parse

LIMIT = 60  # seconds for an answer; nothing waits so long unless something is broken
CODES = ("ok bad_name name_taken no_such_agent fenced not_permitted bad_realization bad_pattern "
         "bad_options too_large wrong_type bad_encoding mailbox_full absent_full deadlock expired "
         "undeliverable dropped refused peer_down agent_failed cancelled stopped no_credit "
         "store_lost wrong_thread limit_reached unsupported bad_endpoint cannot_listen unreachable "
         "disconnected disk_full disk_failed no_such_file file_exists bad_path no_such_function "
         "unanswered").split()
OWN_CODES = {1000: "bad_handle", 1001: "bad_argument", 1002: "no_memory", 1003: "forked",
             1004: "failed"}


class Broken(Exception):
    """A sentence is not true."""


class Refused(Exception):
    """An operation failed; `code` is the name of its error."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code


class Answer:
    """The answer to one command; its fields are attributes, None if there is no such field."""

    def __init__(self, id):
        self.id = id
        self.fields = {}
        self._came = threading.Event()

    def __getattr__(self, key):
        return self.fields.get(key)

    def take(self, line):
        words = line.split(" ")
        self.fields = dict(word.split("=", 1) for word in words[2:])
        self.fields = {key: urllib.parse.unquote(value) for key, value in self.fields.items()}
        self.is_error = words[1] == "error"
        self._came.set()

    def has_come(self):
        return self._came.is_set()

    def wait(self):
        if not self._came.wait(LIMIT):
            raise Broken(f"there is no answer to command {self.id}")
        if self.is_error:
            code = int(self.code)
            name = CODES[code] if code < len(CODES) else OWN_CODES.get(code, str(code))
            raise Refused(name, self.text)
        return self


class Player:
    """One process of a player, which plays in one society after the other."""

    def __init__(self, command, way):
        self._process = subprocess.Popen([command, way], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, bufsize=1)
        self._numbers = itertools.count(1)
        self._open = {}
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        for line in self._process.stdout:
            self._open.pop(int(line.split(" ", 1)[0])).take(line.rstrip("\n"))
        for answer in list(self._open.values()):
            answer.take(f"{answer.id} error code=1004 text=the%20player%20has%20ended")

    def begin(self, verb, **fields):
        answer = Answer(next(self._numbers))
        self._open[answer.id] = answer
        words = [str(answer.id), verb]
        words += [f"{key.replace('__', '.')}={urllib.parse.quote(str(value))}"
                  for key, value in fields.items() if value is not None]
        self._process.stdin.write(" ".join(words) + "\n")
        return answer

    def end(self):
        self._process.stdin.close()
        code = self._process.wait(LIMIT)
        self._thread.join(LIMIT)
        self._process.stdout.close()
        if code != 0:
            raise Broken(f"a player ended with {code}")

    def kill(self):
        self._process.kill()
        self._process.wait(LIMIT)


class Agent:
    """An agent of a player: each verb is a method, and begin_VERB returns without waiting."""

    def __init__(self, player, name):
        self._player, self.name = player, name

    def __getattr__(self, verb):
        if verb.startswith("begin_"):
            return lambda **fields: self._player.begin(verb[6:], agent=self.name, **fields)
        return lambda **fields: self._player.begin(verb, agent=self.name, **fields).wait()


class Society:
    """The players of one sentence. Agents live in the first player, or in the next one."""

    def __init__(self, players):
        self._players = players

    def agent(self, name, far=False, **fields):
        agent = Agent(self._players[-1 if far else 0], name)
        agent.open(**fields)
        return agent

    def stop(self, far=False, **fields):
        return self._players[-1 if far else 0].begin("stop", **fields).wait()


class Server:
    """A clearinghouse."""

    def __init__(self, coracle):
        self._folder = tempfile.TemporaryDirectory()
        place = self._folder.name + "/server"
        self.realization = f"central+unix://{place}"
        self._process = subprocess.Popen([coracle, "central", "--listen", f"unix://{place}"],
                                         stdout=subprocess.PIPE, text=True)
        if not self._process.stdout.readline():  # it prints its address when it serves
            raise Broken("the clearinghouse does not serve")

    def end(self):
        self._process.terminate()
        self._process.wait(LIMIT)
        self._process.stdout.close()
        self._folder.cleanup()


class Company:
    """The players of a test. After a sentence that is not true, new processes play the next one."""

    def __init__(self, command, kind, way, coracle):
        self._command, self._way = command, way
        self._kind, self._coracle = kind, coracle
        self._players = []

    def play(self, sentence):
        """Plays a sentence in a fresh society on `local:`, `central:` or `distributed:`."""
        server = Server(self._coracle) if self._kind == "central:" else None
        realization = server.realization if server else self._kind
        if self._kind == "distributed:":
            realization = f"distributed:society=contract{os.getpid()}-{sentence.__name__[:24]}"
        wanted = 1 if self._kind == "local:" else 2
        try:
            while len(self._players) < wanted:
                self._players.append(Player(self._command, self._way))
            for each in self._players:
                each.begin("begin", realization=realization).wait()
            sentence(Society(self._players))
            for each in reversed(self._players):  # the first may have the directory
                each.begin("end").wait()
        except (Broken, Refused, OSError):
            for each in self._players:
                each.kill()
            self._players = []
            raise
        finally:
            if server:
                server.end()

    def end(self):
        for each in self._players:
            each.end()
