import asyncio
import json
import logging
import pathlib
import sys
import threading
import time
import unittest
from collections import defaultdict
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import List, Optional, Union

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from superstep import AccessDeniedError, Superstep, TaskFailed, Worker, WorkerTask

logging.getLogger("superstep.worker").setLevel(logging.CRITICAL)


@dataclass
class Order:
    id: str
    cents: int = 5
    note: Optional[str] = None


@dataclass
class Receipt:
    number: str


class WorkerTests(unittest.TestCase):
    def serve(self, tasks, heartbeats=(), outcomes=(), claims=200):
        """A service with these tasks; answers are statuses, or bodies, the last one for ever."""
        self.calls = calls = defaultdict(list)
        queue, lock = list(tasks), threading.Lock()
        answers = {"heartbeat": list(heartbeats) or [True], "outcome": list(outcomes) or [204]}

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                size = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(size) or b"null")
                path, _, query = self.path.partition("?")
                name = path.rsplit("/", 1)[1]
                with lock:
                    calls[name].append(query if name == "claim" else body)
                    if name == "claim":
                        most = int(query.split("max=")[1].split("&")[0])
                        answer = {"items": [queue.pop(0) for _ in queue[:most]]}
                        answer = answer if claims == 200 else claims
                    else:
                        left = answers.get(name, [204])
                        answer = left.pop(0) if len(left) > 1 else left[0]
                if name == "claim" and answer == {"items": []}:
                    time.sleep(0.02)
                if answer is None:
                    self.close_connection = True
                    return self.connection.close()
                if isinstance(answer, bool):
                    answer = {"wanted": answer, "lease_until": "2026-01-01T00:00:00Z"}
                status = answer if isinstance(answer, int) else 200
                data = b"" if status == 204 else json.dumps(answer).encode()
                if isinstance(answer, int):
                    data = b"" if status == 204 else json.dumps({"code": "c"}).encode()
                self.send_response(status)
                if status != 204:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return Superstep(f"http://127.0.0.1:{server.server_port}", api_key="k", retries=0)

    def start(self, worker, client):
        worker.start(client)
        self.addCleanup(worker.stop, 0)

    def until(self, condition):
        end = time.monotonic() + 10
        while not condition():
            self.assertLess(time.monotonic(), end, self.calls)
            time.sleep(0.01)

    def test_gives_typed_inputs_to_handlers_and_takes_what_they_return(self):
        worker = Worker()

        @worker.task("charge")
        def charge(order: Order, task: WorkerTask) -> Receipt:
            return Receipt(f"{order.id} {order.cents} {order.note} {task.attempt}")

        self.assertEqual(
            {"number": "a 5 None 2"}, worker.test("charge", Order("a"), attempt=2).result
        )
        self.assertEqual(
            {"number": "b 7 x 1"},
            worker.test("charge", {"id": "b", "cents": 7, "note": "x", "more": 1}).result,
        )
        self.assertEqual("invalid_input", worker.test("charge", {"cents": 7}).error.code)
        self.assertEqual("invalid_input", worker.test("charge", 7).error.code)

    def test_says_how_a_handler_has_failed(self):
        worker = Worker()

        @worker.task("charge")
        def charge(order):
            raise TaskFailed("declined", "no", retryable=True, retry_after=1.5, details={"a": 1})

        @worker.task("bug")
        async def bug():
            raise KeyError("x")

        @worker.task("nothing")
        async def nothing():
            pass

        error = worker.test("charge", {}).error
        self.assertEqual(
            ("declined", "no", True, "1500ms", {"a": 1}),
            (error.code, error.message, error.retryable, error.retry_after, error.details),
        )
        error = worker.test("bug", {}).error
        self.assertEqual(
            ("node_failed", "KeyError: 'x'", True), (error.code, error.message, error.retryable)
        )
        self.assertEqual({}, worker.test("nothing", {}).result)

    def test_claims_no_more_than_it_has_places_for(self):
        client = self.serve([task(i) for i in range(9)])
        worker, gate, at_once = Worker(concurrency=3, name="w"), threading.Event(), []

        @worker.task("work")
        def work(_, task):
            at_once.append(len(worker._in_hand))
            gate.wait(10)

        self.start(worker, client)
        self.until(lambda: len(at_once) == 3)
        time.sleep(0.1)
        self.assertEqual(1, len(self.calls["claim"]))
        self.assertEqual("type=work&max=3&wait=5s&worker=w", self.calls["claim"][0])
        gate.set()
        self.until(lambda: len(self.calls["outcome"]) == 9)
        self.assertLessEqual(max(at_once), 3)

    def test_sends_an_outcome_until_it_counts(self):
        client = self.serve([task(1)], outcomes=[503, None, 204])
        worker = Worker()
        worker.task("work")(lambda value: {"n": value})
        self.start(worker, client)
        self.until(lambda: len(self.calls["outcome"]) == 3)
        self.assertEqual([{"token": "t-1", "result": {"n": 1}}] * 3, self.calls["outcome"])

    def test_leaves_an_outcome_that_is_refused(self):
        client = self.serve([task(1), task(2)], outcomes=[409, 204])
        worker = Worker(concurrency=1)
        worker.task("work")(lambda value: value)
        self.start(worker, client)
        self.until(lambda: len(self.calls["outcome"]) == 2)
        self.assertEqual(["t-1", "t-2"], [it["token"] for it in self.calls["outcome"]])

    def test_fails_a_task_whose_result_the_service_does_not_take(self):
        client = self.serve([task(1)], outcomes=[422, 204])
        worker = Worker()
        worker.task("work")(lambda value: "too long")
        self.start(worker, client)
        self.until(lambda: len(self.calls["outcome"]) == 2)
        self.assertEqual("invalid_result", self.calls["outcome"][1]["error"]["code"])

    def test_keeps_the_lease_and_tells_of_progress(self):
        client = self.serve([task(1, 900)], heartbeats=[503, True])
        worker, gate = Worker(), threading.Event()

        @worker.task("work")
        def work(_, task):
            task.progress({"percent": 40})
            gate.wait(10)
            self.assertFalse(task.cancelled.is_set())

        self.start(worker, client)
        self.until(lambda: len(self.calls["heartbeat"]) == 8)
        gate.set()
        self.until(lambda: len(self.calls["outcome"]) == 1)
        self.assertEqual({"token": "t-1", "progress": {"percent": 40}}, self.calls["heartbeat"][-1])

    def cancels(self, *heartbeats):
        client = self.serve([task(1, 300)], heartbeats=heartbeats)
        worker, cancelled = Worker(), []

        @worker.task("work")
        def work(_, task):
            cancelled.append(task.cancelled.wait(10))

        self.start(worker, client)
        self.until(lambda: cancelled and not worker._in_hand)
        self.assertEqual([True], cancelled)
        self.assertEqual([], self.calls["outcome"])

    def test_cancels_what_no_run_wants(self):
        self.cancels(True, False)
        self.assertEqual(2, len(self.calls["heartbeat"]))

    def test_cancels_what_another_worker_has(self):
        self.cancels(409)

    def test_cancels_what_it_could_not_keep(self):
        self.cancels(503)
        self.assertGreater(len(self.calls["heartbeat"]), 1)

    def test_takes_only_inputs_of_the_type(self):
        worker = Worker()

        @dataclass
        class Basket:
            orders: List[Order]
            first: Union[Order, None] = None

        def buy(basket):
            return basket

        buy.__annotations__["basket"] = Basket
        worker.task("buy")(buy)
        good = {"orders": [{"id": "a"}], "first": {"id": "b", "cents": 1}}
        result = worker.test("buy", good).result
        self.assertEqual(["a", "b"], [result["orders"][0]["id"], result["first"]["id"]])
        for wrong in ({"orders": [{}]}, {"orders": [{"id": 7}]}, {"orders": "x"}, {"first": None}):
            self.assertEqual("invalid_input", worker.test("buy", wrong).error.code, wrong)

    def test_says_what_is_no_json(self):
        worker = Worker()
        worker.task("result")(lambda _: {1, 2})
        worker.task("progress")(lambda _, task: task.progress({1, 2}))
        self.assertEqual("invalid_result", worker.test("result", {}).error.code)
        self.assertEqual("node_failed", worker.test("progress", {}).error.code)

    def test_ends_when_the_service_refuses_its_claims(self):
        client = self.serve([], claims=403)
        worker = Worker()
        worker.task("work")(lambda value: value)
        with self.assertRaises(AccessDeniedError):
            worker.run(client)

    def test_cancels_a_coroutine(self):
        client = self.serve([task(1, 300)], heartbeats=[409])
        worker, ended = Worker(), []

        @worker.task("work")
        async def work(_):
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                ended.append(True)
                raise

        self.start(worker, client)
        self.until(lambda: ended and not worker._in_hand)
        self.assertEqual([], self.calls["outcome"])

    def test_ends_what_is_in_hand_before_it_stops(self):
        client = self.serve([task(1), task(2)])
        worker, begun = Worker(concurrency=1), threading.Event()

        @worker.task("work")
        def work(value):
            begun.set()
            time.sleep(0.3)
            return value

        worker.start(client)
        begun.wait(10)
        worker.stop()
        self.assertEqual([{"token": "t-1", "result": 1}], self.calls["outcome"])
        self.assertEqual(1, len(self.calls["claim"]))
        self.assertEqual([], self.calls["release"])

    def test_gives_back_what_is_not_done_when_the_grace_is_over(self):
        client = self.serve([task(1)])
        worker, begun, ended = Worker(), threading.Event(), []

        @worker.task("work")
        def work(_, task):
            begun.set()
            ended.append(task.cancelled.wait(10))

        worker.start(client)
        begun.wait(10)
        worker.stop(0.1)
        self.assertEqual([True], ended)
        self.assertEqual([{"token": "t-1"}], self.calls["release"])
        self.assertEqual([], self.calls["outcome"])


def task(number, lease=30_000):
    return {
        "id": f"k-{number}",
        "token": f"t-{number}",
        "type": "work",
        "input": number,
        "attempt": 1,
        "idempotency_key": f"i-{number}",
        "heartbeat_ms": lease,
    }


if __name__ == "__main__":
    unittest.main()
