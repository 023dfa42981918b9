"""The tools for which the formats are read what our writers write.

    judge.py FOLDER SAMPLES CORACLE

FOLDER is the one that ./install has filled; SAMPLES is the program formats-samples, CORACLE the
command. The samples are written to FOLDER/samples.
"""
import contextlib
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import unittest

from google.protobuf import json_format, unknown_fields
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from perfetto.protos.perfetto.trace import perfetto_trace_pb2
from prometheus_client.parser import text_string_to_metric_families

HERE = pathlib.Path(__file__).resolve().parent
FOLDER, SAMPLES, CORACLE = (pathlib.Path(each) for each in sys.argv[1:4])
MADE = FOLDER / "samples"
COUNT = 60  # messages of a society that runs


def run(*command, **options):
    done = subprocess.run([str(each) for each in command], timeout=60, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[:3]} ended with {done.returncode}: {done.stderr[:2000]}")
    return done.stdout


def texts():
    return [bytes.fromhex(line) for line in (MADE / "texts.hex").read_text().split("\n")[:-1]]


def lines_of(name):
    return [json.loads(line) for line in (MADE / f"{name}.ndjson").read_text().split("\n")[:-1]]


def known(message):
    """Requires that the message, and all in it, has only fields of its schema."""
    assert len(unknown_fields.UnknownFieldSet(message)) == 0, message
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for each in value if hasattr(value, "add") else [value]:
            known(each)


@contextlib.contextmanager
def society():
    """The place of a central server, which is ended at last."""
    server = subprocess.Popen([str(CORACLE), "central", "--listen", "127.0.0.1:0"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield "central://" + server.stdout.readline().split("/")[-1].strip()
    finally:
        server.terminate()
        server.communicate(timeout=30)


@contextlib.contextmanager
def talk():
    """The place of a society in which talk/ann asks talk/bob without end."""
    with society() as place:
        talking = subprocess.Popen([str(SAMPLES), "live", place], stdout=subprocess.PIPE, text=True)
        try:
            assert talking.stdout.readline() == "ready\n"
            yield place
        finally:
            talking.kill()
            talking.communicate(timeout=30)


def overhear(place, form):
    """A file with the next COUNT messages of a society."""
    path = MADE / f"live.{form}"
    run(CORACLE, "export", "--realization", place, "--name", "talk/*", "--count", COUNT,
        "--output", path, "--format", form)
    return path


def messages_of(name):
    return [line for line in lines_of(name) if "message" in line]


class Ndjson(unittest.TestCase):
    def test_hostile_contents_are_read_as_they_were_sent(self):
        sent = [line for line in messages_of("hostile") if line["to"] == "bob"]
        self.assertEqual(len(sent), len(texts()))
        for line, content in zip(sent, texts()):
            got = line["text"].encode() if "text" in line else bytes.fromhex(line["hex"])
            self.assertEqual(got, content)
            self.assertEqual(len(line["headers"]), len(texts()))

    def test_a_recorded_society_has_its_messages_and_lives(self):
        self.assertEqual({line["agent"] for line in lines_of("society") if "agent" in line},
                         {"visitor", "keeper", "neighbour", "sleeper"})
        crashed, = [line for line in lines_of("society") if line.get("reason") == "crashed"]
        self.assertEqual(crashed["error"], "the visitor <b>fell</b>")
        numbers, = [line for line in messages_of("society") if line.get("type") == "numbers/v1"]
        self.assertEqual(numbers["content"], "[1, 2, 3]")


class Mermaid(unittest.TestCase):
    def read(self, name):
        node = shutil.which("node", path=f"{FOLDER}/venv/bin") or shutil.which("node")
        return json.loads(run(node, HERE / "mermaid.mjs", FOLDER / "mermaid", MADE / f"{name}.mmd"))

    def text(self, words):
        """The parser keeps an entity in a form of its own until it draws."""
        return re.sub("ﬂ°°(\\d+)¶ß", lambda found: chr(int(found.group(1))), words)

    def test_every_message_is_an_arrow_between_its_agents(self):
        for name in ("hostile", "society"):
            diagram = self.read(name)
            self.assertEqual(diagram["type"], "sequence")
            called = {each: self.text(words) for each, words in diagram["lifelines"]}
            arrows = [(called[each[0]], called[each[1]]) for each in diagram["messages"]]
            shown = lambda each: each if each.strip() else "\xa0"
            self.assertEqual(arrows, [(shown(line["from"]), shown(line["to"]))
                                      for line in messages_of(name)])
            notes = [self.text(each) for each in diagram["notes"]]
            if name == "society":
                self.assertIn("crashed: the visitor <b>fell</b>", notes)
            else:
                self.assertEqual(len(notes), 2 * len(texts()))
                self.assertTrue(all(each == "missed 3 messages" or each.startswith("crashed")
                                    for each in notes))

    def test_hostile_contents_are_shown_and_do_nothing(self):
        shown = [self.text(each[2]) for each in self.read("hostile")["messages"]]
        for wanted in ("<script>alert(1)</script>", "%%{init: {\"theme\": \"dark\"}}%%",
                       "wrap: nowrap:", "a;b\\n  x->>y: z", "Zürich/плот/船/🚣"):
            self.assertTrue(any(wanted in each for each in shown), wanted)
        self.assertTrue(all(character.isprintable() or character == "\xa0"
                            for each in shown for character in each))


class Graphviz(unittest.TestCase):
    def test_arrows_and_names_are_those_of_the_story(self):
        for name in ("hostile", "society"):
            self.assertIn("</svg>", run("dot", "-Tsvg", MADE / f"{name}.dot"))
            graph = json.loads(run("dot", "-Tjson", MADE / f"{name}.dot"))
            label = {each["_gvid"]: each["label"] for each in graph["objects"]}
            pairs = {}
            for line in messages_of(name):
                pair = (line["from"], line["to"])
                pairs[pair] = pairs.get(pair, 0) + 1
            named = re.compile(r"(?:[^\\]|\\[^n])*")  # up to the first end of a line
            plain = lambda words: named.match(words).group().replace("&amp;", "&").replace(
                "\\\\", "\\")
            self.assertEqual(pairs, {(plain(label[each["tail"]]), plain(label[each["head"]])):
                                     int(each["label"]) for each in graph["edges"]})
            lines = {words[len(named.match(words).group()):] for words in label.values()}
            self.assertIn("\\ncrashed" if name == "society" else
                          "\\ncrashed\\nmissed 3 messages", lines)

    def test_a_running_society_is_drawn(self):
        with talk() as place:
            path = overhear(place, "graphviz")
        graph = json.loads(run("dot", "-Tjson", path))
        label = {each["_gvid"]: each["label"] for each in graph["objects"]}
        self.assertEqual(set(label.values()), {"talk/ann", "talk/bob"})
        self.assertEqual({(label[each["tail"]], label[each["head"]]) for each in graph["edges"]},
                         {("talk/ann", "talk/bob"), ("talk/bob", "talk/ann")})
        self.assertEqual(sum(int(each["label"]) for each in graph["edges"]), COUNT)


class Perfetto(unittest.TestCase):
    def read(self, path):
        """The messages that were sent and taken, and the names of the tracks."""
        trace = perfetto_trace_pb2.Trace.FromString(path.read_bytes())
        known(trace)
        tracks, open_slices, begins, ends, sends = {}, {}, set(), set(), 0
        for packet in trace.packet:
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                tracks[track.uuid] = track
                if track.HasField("parent_uuid") and track.parent_uuid:
                    self.assertIn(track.parent_uuid, tracks)
                continue
            event = packet.track_event
            self.assertIn(event.track_uuid, tracks)
            stack = open_slices.setdefault(event.track_uuid, [])
            if event.type == event.TYPE_SLICE_BEGIN:
                stack.append(packet.timestamp)
            elif event.type == event.TYPE_SLICE_END:
                self.assertLessEqual(stack.pop(), packet.timestamp)
            begins.update(event.flow_ids)
            ends.update(event.terminating_flow_ids)
            sends += "send" in event.categories
        self.assertFalse(any(open_slices.values()))
        self.assertEqual(begins, ends)
        return sends, begins, {track.name for track in tracks.values()}

    def test_slices_nest_and_every_arrow_has_both_ends(self):
        for name in ("hostile", "society"):
            sends, arrows, names = self.read(MADE / f"{name}.perfetto")
            taken = [line for line in messages_of(name) if "taken" in line]
            self.assertEqual(arrows, {line["message"] for line in taken})
            self.assertEqual(sends, len(messages_of(name)))
            self.assertTrue({line["from"] for line in messages_of(name)} <= names)

    def test_a_running_society_is_traced(self):
        with talk() as place:
            path = overhear(place, "perfetto")
        sends, arrows, names = self.read(path)
        self.assertEqual(sends, COUNT)
        self.assertEqual(len(arrows), COUNT)
        self.assertTrue({"talk/ann", "talk/bob"} <= names)


def spans_in(request):
    for resource in request.resource_spans:
        attributes = {each.key: each.value.string_value for each in resource.resource.attributes}
        for scope in resource.scope_spans:
            assert scope.scope.name == "coracle"
            for span in scope.spans:
                yield attributes, span


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes traces as a collector of OpenTelemetry does."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.taken.append((self.path, self.headers["Content-Type"], body))
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Otlp(unittest.TestCase):
    def setUp(self):
        self.collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        self.collector.taken, self.collector.status = [], 200
        self.url = f"http://127.0.0.1:{self.collector.server_port}"
        threading.Thread(target=self.collector.serve_forever, daemon=True).start()
        self.addCleanup(self.collector.server_close)
        self.addCleanup(self.collector.shutdown)

    def check(self, name, spans):
        self.assertEqual(self.counts(spans), {
            "send": len(messages_of(name)),
            "process": sum("taken" in line for line in messages_of(name)),
            "life": sum("agent" in line for line in lines_of(name)),
            "gap": sum("hearer" in line for line in lines_of(name))})

    def counts(self, spans):
        """The number of spans of each kind, which are checked."""
        ids = {span.span_id for _, span in spans}
        self.assertEqual(len(ids), len(spans))
        outside = {bytes.fromhex("0000000000000003")}
        counted = {"send": 0, "process": 0, "life": 0, "gap": 0}
        for resource, span in spans:
            self.assertEqual((len(span.trace_id), len(span.span_id)), (16, 8))
            self.assertTrue(any(span.trace_id))
            self.assertLessEqual(span.start_time_unix_nano, span.end_time_unix_nano)
            self.assertIn(span.parent_span_id, ids | outside | {b""})
            self.assertTrue(all(link.span_id in ids for link in span.links))
            self.assertEqual(resource["service.name"], "coracle")
            attributes = {each.key: each.value for each in span.attributes}
            self.assertEqual(len(attributes), len(span.attributes))
            what = span.name.split(" ", 1)[0]
            counted[what] += 1
            if what in ("life", "gap"):
                self.assertEqual(span.kind, span.SPAN_KIND_INTERNAL)
                self.assertIn("coracle.agent", attributes)
            else:
                self.assertEqual(attributes["messaging.system"].string_value, "coracle")
                self.assertEqual(attributes["messaging.operation.type"].string_value, what)
        return counted

    def all_spans(self, *requests):
        spans = []
        for each in requests:
            request = trace_service_pb2.ExportTraceServiceRequest.FromString(each)
            known(request)
            json_format.MessageToJson(request)  # all strings are UTF-8
            spans += spans_in(request)
        return spans

    def test_files_are_requests_of_the_protocol(self):
        for name in ("hostile", "society"):
            self.check(name, self.all_spans((MADE / f"{name}.otlp").read_bytes()))

    def test_a_running_society_is_traced_into_a_file_and_to_a_collector(self):
        messages = {"send": COUNT, "process": COUNT, "life": 0, "gap": 0}
        with talk() as place:
            path = overhear(place, "otlp")
            run(CORACLE, "export", "--realization", place, "--name", "talk/*", "--count", COUNT,
                "--format", "otlp", "--to", self.url)
        self.assertEqual(self.counts(self.all_spans(path.read_bytes())), messages)
        bodies = [body for _, _, body in self.collector.taken]
        self.assertEqual(self.counts(self.all_spans(*bodies)), messages)

    def test_a_collector_gets_the_same_by_http(self):
        run(CORACLE, "export", "--recording", MADE / "society.db", "--format", "otlp", "--to",
            self.url, "--began", "1790000000")
        (path, kind, body), = self.collector.taken
        self.assertEqual((path, kind), ("/v1/traces", "application/x-protobuf"))
        spans = self.all_spans(body)
        self.check("society", spans)
        self.assertEqual(min(span.start_time_unix_nano for _, span in spans) // 10**9, 1790000000)
        asked, = [span for _, span in spans if span.name == "send keeper" and span.status.code]
        self.assertEqual(asked.status.message, "failure")

    def test_a_collector_that_refuses_is_reported(self):
        self.collector.status = 503
        with self.assertRaisesRegex(AssertionError, "answered 503 .* look at its log"):
            run(CORACLE, "export", "--recording", MADE / "society.db", "--format", "otlp", "--to",
                self.url)


class Prometheus(unittest.TestCase):
    def test_hostile_texts_stay_within_labels_and_help(self):
        text = (MADE / "hostile.prometheus").read_text()
        families = {each.name: each for each in text_string_to_metric_families(text)}
        self.assertEqual(len(families), len(texts()) + 2)
        samples = families["hostile"].samples
        self.assertEqual([sample.value for sample in samples],
                         list(range(1, len(texts()) + 1)))
        self.assertEqual(samples[8].labels, {"text": '"]; x -> y [label="'})
        self.assertEqual(samples[9].labels, {"text": '\\" \\N \\G \\'})
        latency = families["latency_seconds"]
        self.assertEqual(latency.type, "histogram")
        self.assertEqual([(each.labels["le"], each.value) for each in latency.samples
                          if each.name.endswith("_bucket") and each.labels["node"] == "a"],
                         [("0.001", 5), ("0.1", 12), ("+Inf", 13)])

    def test_a_running_society_has_its_counts(self):
        with society() as place:
            text = run(CORACLE, "export", "--format", "prometheus", "--realization", place)
        families = {each.name: each for each in text_string_to_metric_families(text)}
        self.assertEqual(families["coracle_nodes"].samples[0].value, 1)
        self.assertEqual(families["coracle_relayed_frames"].type, "counter")
        self.assertIn("lease", families["coracle_node_names"].samples[0].labels)


if __name__ == "__main__":
    shutil.rmtree(MADE, ignore_errors=True)
    MADE.mkdir()
    run(SAMPLES, MADE)
    unittest.main(argv=sys.argv[:1])
