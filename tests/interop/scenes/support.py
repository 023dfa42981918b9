"""Helpers of the scenes."""
import datetime

from harness.players import Broken


def require(condition, text):
    if not condition:
        raise Broken(text)


def expect(message, **fields):
    """Requires these fields; a name ends in @... if the field is the sender."""
    for key, wanted in fields.items():
        key = key.replace("_", "-")
        seen = message.get(key)
        if key == "sender":
            seen = seen and seen["name"]
        if seen != wanted:
            raise Broken(f"{key} is {shown(seen)}, not {shown(wanted)}, in {shown(message)}")
    return message


def shown(value):
    text = repr(value)
    return text if len(text) < 600 else f"{text[:600]}... ({len(text)} characters)"


def kinds(messages):
    return [each["performative"] for each in messages]


def names(entries):
    return sorted(each["name"]["name"] for each in entries)


def deadline(seconds):
    """The time in so many seconds, as FIPA writes it. Both platforms read the same clock."""
    when = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return when.strftime("%Y%m%dT%H%M%S") + f"{when.microsecond // 1000:03d}Z"
