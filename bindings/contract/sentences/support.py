"""The words in which the sentences are written."""
from players import Broken, Refused

ALL = []
MILLISECONDS = 1_000_000
SECONDS = 1_000_000_000
ACCEPTED, STORED, DELIVERED, CONSUMED = range(4)
WAIT, FAIL, DROP_OLDEST, DROP_NEWEST, KEEP_LATEST, REDIRECT = range(6)
STOPPED = 0


def sentence(function):
    ALL.append(function)
    return function


def same(found, wanted, what):
    if found != wanted:
        raise Broken(f"{what} is {found!r}, should be {wanted!r}")


def fails(code, operation, **fields):
    try:
        answer = operation(**fields)
    except Refused as refused:
        return same(refused.code, code, "the error")
    raise Broken(f"it succeeded with {answer.fields}, should fail with {code}")


def fails_later(code, begun):
    fails(code, begun.wait)


def reads(agent, *texts, **match):
    for text in texts:
        same(agent.receive(**match).text, text, f"what {agent.name} reads")


def nothing(agent, **match):
    same(agent.receive(longest=5 * MILLISECONDS, **match).text, None, f"what {agent.name} reads")


def becomes(look, wanted, what):
    """For what other nodes hear of soon."""
    for _ in range(10_000):
        if look() == wanted:
            return
    same(look(), wanted, what)


def counts(agent, to, number):
    for each in range(1, number + 1):
        agent.send(to=to, text=each)


def upto(number):
    return [str(each) for each in range(1, number + 1)]
