"""Messages as text, in the form of FIPA00070 that JADE writes and reads; just enough for tests."""
import re

TOKEN = re.compile(r'\s*(?:(?P<open>\()|(?P<close>\))'
                   r'|"(?P<text>(?:\\"|[^"])*)"|(?P<word>[^\s()]+))')


def read(text):
    """The performative and the parameters: a text, or nested lists for parentheses."""
    return Reader(text).message()


class Reader:
    def __init__(self, text):
        self._tokens = TOKEN.finditer(text)

    def message(self):
        act, *rest = self._list() if next(self._tokens)["open"] else [None]
        return {"performative": act.lower(),
                **{key[1:].lower(): value for key, value in zip(rest[::2], rest[1::2])}}

    def _list(self):
        found = []
        for token in self._tokens:
            if token["close"]:
                break
            if token["open"]:
                found.append(self._list())
            elif token["text"] is not None:
                found.append(token["text"].replace('\\"', '"'))
            else:
                found.append(token["word"])
        return found


def aid(agent):
    """[agent-identifier, :name, N, :addresses, [sequence, URL...]] as JSON has it."""
    slots = dict(zip(agent[1::2], agent[2::2]))
    return {"name": slots[":name"], "addresses": slots.get(":addresses", ["sequence"])[1:]}


def write_aid(agent):
    addresses = " ".join(agent["addresses"])
    return f'(agent-identifier :name {quoted(agent["name"])} :addresses (sequence {addresses}))'


def quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


def write(performative, sender, receivers, **fields):
    """The text of a message; reply_with=... is :reply-with."""
    to = " ".join(write_aid(each) for each in receivers)
    rest = "".join(f" :{key.replace('_', '-')} {quoted(value)}" for key, value in fields.items())
    return f"({performative} :sender {write_aid(sender)} :receiver (set {to}){rest})"
