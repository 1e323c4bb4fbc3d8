import datetime
import json
import pathlib
import socket
import sys
import tempfile
import threading
import time
import unittest
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import build_wheel_of_client
import superstep
from superstep.codec import decode, encode
from superstep.generated import Limits, Run


def answer(status, body=b"", headers=None):
    """An answer that is whole."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def send(handler):
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        if status != 204:
            handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return send


def problem(status, code, headers=None, **more):
    body = {"status": status, "code": code, "detail": f"because of {code}", **more}
    return answer(status, body, headers)


def hang_up(handler):
    handler.connection.shutdown(socket.SHUT_RDWR)


def chunk(text):
    data = text.encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


def stream(text, broken=False, silent=0.0, location=None):
    def send(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        if location:
            handler.send_header("Location", location)
        handler.end_headers()
        handler.wfile.write(chunk(text))
        handler.wfile.flush()
        time.sleep(silent)
        if broken:
            hang_up(handler)
        else:
            handler.wfile.write(b"0\r\n\r\n")

    return send


def frame(seq, type):
    data = json.dumps({"seq": seq, "type": type, "run_id": "r-1", "data": {}})
    return f"id: {seq}\nevent: {type}\ndata: {data}\n\n"


LIVE = 'event: message.delta\ndata: {"type":"message.delta","data":{"text":"Hi"}}\n\n'


def run(status, **more):
    return {"id": "r-1", "status": status, "interrupts": [], **more}


class ClientTests(unittest.TestCase):
    def serve(self, *answers, **settings):
        """A service that answers one request after the other so, the last way for ever."""
        self.requests = requests = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                requests.append((self.command, self.path, self.headers, body))
                self.close_connection = True
                try:
                    answers[min(len(requests), len(answers)) - 1](self)
                except OSError:
                    pass

            do_GET = do_POST = do_DELETE = do

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        patience = {"retries": 3, "retry_pause": 0.001, "idle": 2, **settings}
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        return superstep.Superstep(url, api_key="k-1", **patience)

    def headers(self, name):
        return [it[2].get(name) for it in self.requests]

    def calls(self):
        return [it[0] + it[1] for it in self.requests]

    def test_keeps_one_idempotency_key_over_all_repetitions_of_a_call(self):
        client = self.serve(
            hang_up,
            problem(503, "database_unavailable", {"Retry-After": "0"}),
            problem(409, "idempotency_in_progress"),
            answer(200, run("succeeded")),
        )

        self.assertEqual(client.runs.start(graph="g", input={}).status, "succeeded")

        keys = self.headers("Idempotency-Key")
        self.assertEqual(len(keys), 4)
        self.assertEqual(len(set(keys)), 1)
        self.assertRegex(keys[0], "^[0-9a-f]{32}$")
        client.runs.start(graph="g", input={})
        self.assertNotEqual(self.headers("Idempotency-Key")[-1], keys[0])
        client.runs.start(graph="g", input={}, idempotency_key="mine")
        self.assertEqual(self.headers("Idempotency-Key")[-1], "mine")
        self.assertEqual(self.headers("Authorization")[0], "Bearer k-1")

    def test_waits_as_long_as_retry_after_says(self):
        client = self.serve(
            problem(429, "too_many_requests", {"Retry-After": "1"}), answer(200, run("succeeded"))
        )
        begin = time.monotonic()
        client.runs.get("r-1")
        self.assertGreaterEqual(time.monotonic() - begin, 0.99)

    def test_gives_up_after_its_retries_and_at_once_if_it_would_wait_too_long(self):
        client = self.serve(problem(503, "server_busy"))
        with self.assertRaises(superstep.OverloadedError):
            client.runs.get("r-1")
        self.assertEqual(len(self.requests), 4)

        client = self.serve(problem(503, "server_busy", {"Retry-After": "3600"}))
        with self.assertRaises(superstep.OverloadedError) as caught:
            client.runs.get("r-1")
        self.assertEqual(caught.exception.retry_after, 3600)
        self.assertEqual(len(self.requests), 1)

        client = self.serve(hang_up)
        with self.assertRaises(superstep.ServiceUnreachableError):
            client.runs.get("r-1")

    def test_does_not_repeat_what_is_wrong_nor_what_would_have_an_effect_twice(self):
        violation = {"pointer": "/input/name", "code": "type", "message": "must be a string"}
        client = self.serve(problem(422, "invalid_input", errors=[violation]))
        with self.assertRaises(superstep.InvalidRequestError) as caught:
            client.runs.start(graph="g", input={"name": 7})
        self.assertEqual(caught.exception.code, "invalid_input")
        self.assertEqual(caught.exception.violations[0].pointer, "/input/name")
        self.assertIn("/input/name: must be a string", str(caught.exception))
        self.assertEqual(len(self.requests), 1)

        client = self.serve(hang_up)
        with self.assertRaises(superstep.ServiceUnreachableError):
            client.keys.create(name="n", scopes=["read"])
        self.assertEqual(len(self.requests), 1)

    def test_names_errors_by_their_status(self):
        with self.assertRaises(superstep.NotFoundError):
            self.serve(problem(404, "run_not_found")).runs.get("r")
        with self.assertRaises(superstep.ConflictError):
            self.serve(problem(409, "thread_busy")).runs.start(graph="g", input={})
        with self.assertRaises(superstep.ApiError) as caught:
            self.serve(answer(400, b"<html>")).runs.get("r")
        self.assertEqual(caught.exception.code, "http_400")

    def test_follows_no_redirect(self):
        client = self.serve(answer(302, headers={"Location": "http://127.0.0.1:1/"}))
        with self.assertRaises(superstep.ApiError) as caught:
            client.runs.get("r")
        self.assertEqual(caught.exception.status, 302)

    def test_takes_a_deletion_for_done_that_was_not_answered(self):
        self.serve(hang_up, problem(404, "run_not_found")).runs.delete("r-1")
        self.assertEqual(len(self.requests), 2)

    def test_sends_paths_lists_and_definitions_as_they_are_meant(self):
        client = self.serve(answer(200, {"items": []}))
        client.runs.get("a/../b c?")
        client.runs.search(status=["failed", "cancelled"], limit=5)
        client.graphs.create("name: g", test=True)
        client.graphs.create({"name": "g"})
        self.assertEqual(
            self.calls(),
            [
                "GET/v1/runs/a%2F..%2Fb%20c%3F",
                "GET/v1/runs?status=failed&status=cancelled&limit=5",
                "POST/v1/graphs?test=true",
                "POST/v1/graphs",
            ],
        )
        self.assertEqual(
            self.headers("Content-Type")[2:], ["application/yaml", "application/json"]
        )
        with self.assertRaises(ValueError):
            client.runs.get("..")

    def test_waits_on_until_the_run_is_at_rest(self):
        client = self.serve(
            answer(202, run("queued")),
            answer(200, run("running")),
            answer(200, run("succeeded", output={"x": 1})),
        )
        self.assertEqual(client.runs.run(graph="g", input={}).output, {"x": 1})
        self.assertEqual(
            self.calls(),
            ["POST/v1/runs?wait=30000ms"] + ["GET/v1/runs/r-1?wait=30000ms"] * 2,
        )

    def test_says_when_the_time_to_wait_is_over(self):
        def slow(handler):
            time.sleep(0.03)
            answer(200, run("running"))(handler)

        client = self.serve(slow)
        with self.assertRaises(superstep.RunTimeoutError) as caught:
            client.runs.wait("r-1", timeout=0.05)
        self.assertEqual(caught.exception.run.status, "running")

    def test_answers_questions_and_leaves_those_open_that_get_no_answer(self):
        asks = run("interrupted", interrupts=[{"id": "i-1", "payload": {"question": "?"}}])
        client = self.serve(answer(200, asks), answer(200, run("succeeded")))
        ended = client.runs.wait("r-1", answer=lambda it: {"said": it.payload["question"]})
        self.assertEqual(ended.status, "succeeded")
        self.assertEqual(
            json.loads(self.requests[1][3]),
            {"answers": [{"interrupt_id": "i-1", "value": {"said": "?"}}]},
        )

        client = self.serve(answer(200, asks))
        left = client.runs.wait("r-1", answer=lambda it: superstep.LEAVE_OPEN)
        self.assertEqual(left.status, "interrupted")
        self.assertEqual(len(self.requests), 1)

    def test_sends_null_as_an_answer(self):
        client = self.serve(answer(200, run("succeeded")))
        client.interrupts.answer("i-1", value=None)
        client.runs.answer("r-1", None)
        self.assertEqual(json.loads(self.requests[0][3]), {"value": None})
        self.assertEqual(json.loads(self.requests[1][3]), {"answers": [{"value": None}]})

    def test_comes_back_to_a_broken_stream_behind_the_last_stored_event(self):
        half = frame(3, "run.succeeded")[:20]
        text = frame(1, "run.created") + LIVE + frame(2, "superstep.committed") + half
        client = self.serve(
            stream(text, broken=True),
            problem(503, "server_busy"),
            stream(frame(3, "run.succeeded")),
        )
        self.assertEqual(
            [it.type for it in client.runs.stream("r-1")],
            ["run.created", "message.delta", "superstep.committed", "run.succeeded"],
        )
        self.assertEqual(self.headers("Last-Event-ID"), [None, "2", "2"])

    def test_comes_back_when_the_service_cuts_a_stream_and_ends_when_nothing_is_left(self):
        cut = 'event: stream.cut\ndata: {"type":"stream.cut","data":{"reason":"stopping"}}\n\n'
        client = self.serve(stream(frame(1, "run.created") + "id: 7\n\n" + cut), answer(204))
        types = [it.type for it in client.runs.stream("r-1", last_event_id=0)]
        self.assertEqual(types, ["run.created"])
        self.assertEqual(self.headers("Last-Event-ID"), ["0", "7"])

    def test_gives_a_stream_up_that_brings_nothing(self):
        client = self.serve(stream(":\n\n"))
        with self.assertRaisesRegex(superstep.SuperstepError, "not at rest"):
            list(client.runs.stream("r-1"))
        self.assertEqual(len(self.requests), 4)

    def test_takes_a_silent_stream_for_broken(self):
        client = self.serve(
            stream(frame(1, "run.created"), silent=3.0),
            stream(frame(2, "run.succeeded")),
            idle=0.5,
        )
        types = [it.type for it in client.runs.stream("r-1")]
        self.assertEqual(types, ["run.created", "run.succeeded"])

    def test_starts_one_run_although_the_answer_to_the_first_request_is_lost(self):
        client = self.serve(
            hang_up,
            stream(frame(1, "run.created"), broken=True, location="/v1/runs/r-1"),
            stream(frame(2, "run.succeeded")),
        )
        types = [it.type for it in client.runs.start_stream(graph="g", input={}, type=["a"])]
        self.assertEqual(types, ["run.created", "run.succeeded"])
        self.assertEqual(
            self.calls(),
            ["POST/v1/runs/stream?type=a"] * 2 + ["GET/v1/runs/r-1/stream?type=a"],
        )
        keys = self.headers("Idempotency-Key")
        self.assertRegex(keys[0], "^[0-9a-f]{32}$")
        self.assertEqual(keys[0], keys[1])

    def test_goes_through_all_parts_of_a_list(self):
        client = self.serve(
            answer(200, {"items": [run("failed")], "next_cursor": "c"}),
            answer(200, {"items": [run("succeeded")]}),
        )
        found = superstep.paginate(lambda cursor: client.runs.search(cursor=cursor))
        self.assertEqual([it.status for it in found], ["failed", "succeeded"])
        self.assertEqual(self.calls()[1], "GET/v1/runs?cursor=c")

    def test_reads_times_and_leaves_out_what_it_does_not_know(self):
        read = decode(Run, {"created_at": "2026-01-31T12:00:00.123456789Z", "new": 1})
        zone = datetime.timezone.utc
        self.assertEqual(
            read.created_at, datetime.datetime(2026, 1, 31, 12, 0, 0, 123456, zone)
        )
        self.assertEqual(encode(Limits(max_supersteps=3)), {"max_supersteps": 3})

    def test_is_a_wheel_that_can_be_imported(self):
        with tempfile.TemporaryDirectory() as folder:
            name = build_wheel_of_client.build_wheel(folder)
            with zipfile.ZipFile(pathlib.Path(folder) / name) as wheel:
                names = wheel.namelist()
                record = wheel.read("superstep_client-0.1.0.dist-info/RECORD").decode()
        self.assertIn("superstep/generated.py", names)
        self.assertIn("superstep/py.typed", names)
        self.assertEqual(len(record.splitlines()), len(names))


if __name__ == "__main__":
    unittest.main()
