"""The figures of the papers on transports between platforms of FIPA, with ours beside them."""
import papers
from numbers_of_run import human, ms, us
from section import Section, mostly, verdict

SMALL, LARGE = 7, 2150  # bytes of content
ENCODINGS = ("bit-efficient", "string", "xml")
# The platforms, the transport between them, and its name.
LINES = (("ours-ours", "http", "HTTP"), ("ours-ours", "iiop", "IIOP"),
         ("jade-jade", "http", "JADE's HTTP"), ("ours-jade", "http", "HTTP with JADE"))


def points(numbers, platforms, mtp, encoding, content, place="one host"):
    return [(x, ms(y), ms(e)) for x, y, e in
            numbers.curve("couples", "mtp", "rtt", platforms=platforms, mtp=mtp,
                          encoding=encoding, content=content, placement=place)]


def by_couples(*curves):
    """The values of several curves at the numbers of couples that all of them have."""
    values = [{x: y for x, y, _ in curve} for curve in curves]
    common = sorted(set.intersection(*(set(each) for each in values)))
    return [tuple(each[x] for each in values) for x in common]


def http_and_iiop(numbers, contents=(SMALL, LARGE)):
    return [pair for encoding in ENCODINGS for content in contents
            for pair in by_couples(points(numbers, "ours-ours", "http", encoding, content),
                                   points(numbers, "ours-ours", "iiop", encoding, content))]


def figure(numbers, content, figures):
    section = Section(f"Transports between platforms, {content:,} bytes",
                      f"Fifth paper, Figures {figures}")
    for panel, encoding in enumerate(ENCODINGS):
        for platforms, mtp, name in LINES:
            section.line(f"{encoding}, {name}",
                         points(numbers, platforms, mtp, encoding, content), panel)
    section.labels("couples", "round trip, ms", log=True)
    return section


def small(numbers):
    section = figure(numbers, SMALL, "3 to 5")
    section.paper = ("HTTP is the fastest transport in every encoding, and OpenORB the fastest of "
                     "three object request brokers, that of Sun the slowest. (There is one broker "
                     "here, omniORB, so the order of brokers cannot be judged.)")
    found = http_and_iiop(numbers)
    if found:
        faster = sum(http < iiop for http, iiop in found) / len(found)
        section.verdict = mostly(faster, f"HTTP is faster than IIOP in {human(100 * faster)} % of "
                                 f"the {len(found)} points of both contents; between gateways, a "
                                 "connection of HTTP carries several letters before the first "
                                 "answer, and these share system calls, while each call of "
                                 "omniORB is a write and a wake-up of its own")
    return section


def large(numbers):
    section = figure(numbers, LARGE, "6 to 8")
    section.paper = "With a larger content, the transports differ less."

    def apart(content):
        found = http_and_iiop(numbers, (content,))
        return found and sum(max(a, b) / min(a, b) for a, b in found) / len(found)

    before, after = apart(SMALL), apart(LARGE)
    if before and after:
        section.verdict = verdict(after < before, "on average the slower of HTTP and IIOP takes "
                                  f"{human(before)} times as long with {SMALL} bytes, and "
                                  f"{human(after)} times with {LARGE:,} bytes")
    return section


def encodings(numbers):
    section = Section("Encodings of messages", "Fifth paper, Figures 3 to 8")
    section.paper = ("In all configurations bit-efficient messages are faster than others, because "
                     "they are considerably smaller.")
    rows = []
    for encoding in ENCODINGS:
        where = {"codec": encoding, "content": SMALL}
        of_string = numbers.value("acl", "message_bytes", codec="string", content=SMALL)
        size = numbers.value("acl", "message_bytes", **where)
        translation = numbers.value("acl", "translation", **where)
        trip = dict((x, y) for x, y, _ in points(numbers, "ours-ours", "http", encoding, SMALL))
        cost = numbers.value("mtp", "cost", mtp="http", encoding=encoding, content=SMALL,
                             couples=100)
        share = 100 * translation / cost if translation and cost else None
        part = size / of_string if size and of_string else None
        rows.append([f"{encoding} message", size, part, us(translation), trip.get(100), us(cost),
                     share])
    for each in ("xml-envelope", "bit-efficient-envelope"):
        rows.append([each.replace("-envelope", " envelope"),
                     numbers.value("acl", "message_bytes", codec=each), None,
                     us(numbers.value("acl", "translation", codec=each)), None, None, None])
    if any(row[1] or row[4] for row in rows):
        section.table(["encoding", "bytes with 7 bytes of content", "of the string's",
                       "written and read, µs", "round trip of 100 couples, ms",
                       "processor time of a message, µs", "of it, writing and reading, %"], rows)
    won = []
    for mtp in ("http", "iiop"):
        for content in (SMALL, LARGE):
            won += [bits < min(others) for bits, *others in by_couples(
                *(points(numbers, "ours-ours", mtp, each, content) for each in ENCODINGS))]
    if won:
        share = sum(won) / len(won)
        section.verdict = mostly(share, f"bit-efficient messages are the fastest in "
                                 f"{human(100 * share)} % of {len(won)} points; the message is a "
                                 "part of the work only: by HTTP, each has an envelope in XML")
    return section


def delta(numbers, platforms, mtp, encoding):
    ratios = [a / b for a, b in by_couples(points(numbers, platforms, mtp, encoding, SMALL),
                                           points(numbers, platforms, mtp, encoding, LARGE))]
    return sum(ratios) / len(ratios) if ratios else None


def sensitivity(numbers):
    section = Section("Sensitivity to the size of messages", "Fifth paper, Table 2")
    section.paper = ("δ is the mean of the round trip with 7 bytes divided by that with 2,150. "
                     "HTTP is most sensitive with string messages, and least with bit-efficient "
                     "ones; the broker of Sun is sensitive in all encodings. (The text says that a "
                     "larger δ is a more sensitive transport, but reads its table the other way, "
                     "as is right: δ is 1 if size costs nothing, and the smaller, the more it "
                     "costs. With a δ of 1.05, large messages would be the faster ones. Its "
                     "statements on three brokers cannot be judged with one.)")
    section.table(["paper: transport", *ENCODINGS],
                  [[name, *values] for name, values in papers.SENSITIVITY.items()])
    rows = [[name, *(delta(numbers, platforms, mtp, each) for each in ENCODINGS)]
            for platforms, mtp, name in LINES]
    rows = [row for row in rows if any(row[1:])]
    if rows:
        section.table(["ours: transport", *ENCODINGS], rows)
    ours = {each: delta(numbers, "ours-ours", "http", each) for each in ENCODINGS}
    if all(ours.values()):
        least = min(ours, key=ours.get)
        text = ", ".join(f"{each} {human(ours[each])}" for each in ENCODINGS)
        if max(ours.values()) - min(ours.values()) < 0.1:
            section.verdict = (f"This run does not decide it: by HTTP, δ is {text}, which differ "
                               "by less than 0.1.")
        else:
            section.verdict = verdict(least == "string", f"by HTTP, δ is {text}; a letter has an "
                                      "envelope and headers of about 800 bytes in any case, and "
                                      "copying 2 KB more costs less than a wake-up")
    return section


def overhead(numbers):
    section = Section("Overhead of the transports", "Fifth paper, sections 3.2 and 6")
    section.paper = ("CORBA consumes less overhead for a message than HTTP, since nothing about "
                     "the transport is added to it.")
    costs = {(mtp, each, couples): numbers.value("mtp", "cost", mtp=mtp, encoding=each,
                                                 content=SMALL, couples=couples)
             for mtp in ("http", "iiop") for each in ENCODINGS for couples in (1, 100)}
    rows = [[each, *(us(costs[mtp, each, couples]) for couples in (1, 100)
                     for mtp in ("http", "iiop"))] for each in ENCODINGS]
    if any(costs.values()):
        section.table(["encoding", "HTTP, 1 couple, µs of processor time for a message", "IIOP",
                       "HTTP, 100 couples", "IIOP"], rows)
    both = [(costs["http", each, 1], costs["iiop", each, 1]) for each in ENCODINGS]
    if all(a and b for a, b in both):
        ratio = sum(iiop / http for http, iiop in both) / len(both)
        if 0.9 < ratio < 1.1:
            section.verdict = (f"This run does not decide it: a message by IIOP takes "
                               f"{human(ratio)} times the processor time of one by HTTP.")
        else:
            section.verdict = verdict(ratio < 1, "with one couple, a message by IIOP takes "
                                      f"{human(ratio)} times the processor time of one by HTTP; "
                                      "its envelope is not XML, but the calls go through threads "
                                      "of the broker")
    return section


PLACES = (("one society", "", "two hosts", "one society, two hosts"),
          ("one society", "", "one host", "one society, one host"),
          ("ours-ours", "http", "two hosts", "two platforms, two hosts, HTTP"),
          ("ours-ours", "iiop", "two hosts", "two platforms, two hosts, IIOP"))


def places(numbers):
    section = Section("Platforms and hosts", "Third paper, Figures 7 and 8")
    section.paper = ("Agents of two platforms on two hosts need about as long for a round trip as "
                     "agents of one platform on two hosts; both grow linearly. (Of its two "
                     "brokers, none is here; the hosts are network namespaces.)")
    found = {}
    for platforms, mtp, place, name in PLACES:
        where = {"platforms": platforms, "mtp": mtp, "content": SMALL, "placement": place}
        if platforms != "one society":
            where["encoding"] = "string"
        found[name] = [(x, ms(y), ms(e)) for x, y, e in
                       numbers.curve("couples", "mtp", "rtt", **where)]
        section.line(name, found[name])
    section.labels("couples", "round trip, ms", log=True)
    both = by_couples(found["two platforms, two hosts, HTTP"], found["one society, two hosts"])
    if both:
        ratios = [between / within for between, within in both]
        section.verdict = verdict(max(ratios) < 1.5, "two platforms take "
                                  f"{human(min(ratios))} to {human(max(ratios))} times as long as "
                                  "one society; between platforms each message has an envelope in "
                                  "XML and a request of HTTP, while within a society many frames "
                                  "share one write")
    return section


def goal(rows, work, most, value, unit, floor=None, at_least=False):
    """A row of the goals; nothing if it was not measured."""
    if value is None:
        return
    is_reached = value >= most if at_least else value <= most
    rows.append([work, f"{'≥' if at_least else '≤'} {human(most)} {unit}", value, floor,
                 "yes" if is_reached else "no"])


def goals(numbers):
    section = Section("Goals", "What this project wants to reach")
    rows = []
    for content, most in ((SMALL, (2, 1.2, 8)), (LARGE, (4, 2.5, 12))):
        for encoding, each in zip(("string", "bit-efficient", "xml"), most):
            where = {"codec": encoding, "content": content}
            goal(rows, f"{encoding} message of {content:,} bytes, written and read", each,
                 us(numbers.value("acl", "translation", **where)), "µs",
                 us(numbers.value("acl", "floor", **where)))
    sizes = [numbers.value("acl", "message_bytes", codec=each, content=SMALL)
             for each in ("bit-efficient", "string")]
    if all(sizes):
        goal(rows, "bytes of a small bit-efficient message, of the string's", 0.55,
             sizes[0] / sizes[1], "")
    couple = {"platforms": "ours-ours", "encoding": "string", "content": SMALL,
              "placement": "one host"}
    for couples, most in ((1, 0.25), (10, 0.6), (100, 4)):
        where = {**couple, "mtp": "http", "couples": couples}
        goal(rows, f"HTTP, round trip of {couples} couple{'s' * (couples > 1)}", most,
             ms(numbers.value("mtp", "rtt", **where)), "ms",
             ms(numbers.value("mtp", "floor", **where)))
    goal(rows, "HTTP, messages per second of 100 couples", 40_000,
         numbers.value("mtp", "rate", **couple, mtp="http", couples=100), "", at_least=True)
    goal(rows, "a couple of ours and of JADE, against two of JADE", 1,
         numbers.value("mtp", "ratio_to_jade", **{**couple, "platforms": "ours-jade"}, couples=1),
         "×")
    goal(rows, "IIOP, round trip of 1 couple, against a call of omniORB", 3,
         numbers.value("mtp", "ratio_to_floor", **couple, mtp="iiop", couples=1), "×")
    goal(rows, "search that finds one of 1,000 entries, above an exchange of HTTP", 1,
         ms(numbers.value("mtp", "above_floor", entries=1000)), "ms")
    if rows:
        section.table(["work", "goal", "measured", "floor", "reached"], rows)
        reached = sum(row[-1] == "yes" for row in rows)
        section.verdict = f"{reached} of {len(rows)} goals are reached."
    return section


SECTIONS = (goals, small, large, encodings, sensitivity, overhead, places)
