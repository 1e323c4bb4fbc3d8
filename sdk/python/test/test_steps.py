import logging
import pathlib
import sys
import threading
import time
import types
import unittest
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from superstep import ServiceUnreachableError, TaskFailed, Worker
from superstep.generated import ClaimedTask, TaskStep, TaskSteps
from superstep.codec import decode
from superstep.errors import api_error

logging.getLogger("superstep.worker").setLevel(logging.CRITICAL)


@dataclass
class Receipt:
    number: str


def step(ordinal, name, status, kind="call", **rest):
    return decode(
        TaskStep, {"ordinal": ordinal, "name": name, "kind": kind, "status": status, **rest}
    )


def done(ordinal, name, result=None, kind="call"):
    return step(ordinal, name, "succeeded", kind, result=result)


class Tasks:
    """One task over recorded steps."""

    def __init__(self, recorded, answer=None):
        self.recorded, self.answer, self.posted = recorded, answer, []
        self.outcome, self.ended = None, threading.Event()
        task = {"id": "k", "token": "t", "type": "work", "input": 1, "attempt": 1}
        task.update(idempotency_key="i", heartbeat_ms=30_000, repeated=bool(recorded))
        self.pending = [decode(ClaimedTask, task)]

    def within(self, _):
        return self

    def claim(self, **_):
        items, self.pending = self.pending, []
        time.sleep(0 if items else 0.02)
        return types.SimpleNamespace(items=items)

    def step(self, task, *, token, from_=None, step=None):
        assert (task, token) == ("k", "t")
        if step is None:
            more = from_ + 1 < len(self.recorded)
            return TaskSteps(items=self.recorded[from_ : from_ + 1], more=more)
        self.posted.append(step)
        if self.answer:
            self.answer()
        kind = "sleep" if "sleep" in step else "ask" if "ask" in step else "call"
        status = "failed" if "error" in step else "succeeded" if "result" in step else "begun"
        status = status if kind == "call" else "waiting"
        recorded = {**step, "kind": kind, "status": status}
        return TaskSteps(items=[decode(TaskStep, recorded)], more=False)

    def end(self, task, *, token, **outcome):
        self.outcome = outcome
        self.ended.set()

    def release(self, *_, **__):
        pass


class StepTests(unittest.TestCase):
    def attempt(self, handler, recorded=(), answer=None):
        worker, tasks = Worker(), Tasks(list(recorded), answer)
        worker.task("work")(handler)
        worker.start(types.SimpleNamespace(tasks=tasks))
        tasks.ended.wait(1)
        worker.stop(0)
        return tasks

    def test_records_what_a_call_returns_before_it_goes_on(self):
        keys = []

        def handler(_, task):
            one = task.steps.run("one", lambda key: keys.append(key) or Receipt("r"))
            task.steps.run("two", lambda _: None)
            return one

        tasks = self.attempt(handler)
        self.assertEqual({"result": {"number": "r"}}, tasks.outcome)
        self.assertEqual(
            [
                {"ordinal": 0, "name": "one", "result": {"number": "r"}},
                {"ordinal": 1, "name": "two", "result": None},
            ],
            tasks.posted,
        )
        self.assertEqual(["i-0"], keys)

    def test_returns_what_is_recorded_and_makes_no_call_again(self):
        def handler(_, task):
            return [
                task.steps.run("one", self.fail),
                task.steps.run("two", self.fail),
                task.steps.run("three", lambda _: 3),
            ]

        tasks = self.attempt(handler, [done(0, "one", 1), done(1, "two")])
        self.assertEqual({"result": [1, None, 3]}, tasks.outcome)
        self.assertEqual(1, len(tasks.posted))

    def test_keeps_a_failure_that_was_caught(self):
        def declined(_):
            raise TaskFailed("no_card")

        def handler(_, task):
            try:
                task.steps.run("one", declined)
            except TaskFailed as failure:
                return task.steps.run("two", lambda _: failure.error["code"])

        tasks = self.attempt(handler)
        self.assertEqual("no_card", tasks.posted[0]["error"]["code"])
        self.assertEqual({"result": "no_card"}, tasks.outcome)
        error = {"code": "expired", "message": "m", "retryable": False}
        failed = step(0, "one", "failed", error=error)
        self.assertEqual({"result": "expired"}, self.attempt(handler, [failed]).outcome)

    def test_makes_a_failed_call_again_if_it_was_not_caught(self):
        tasks = self.attempt(lambda _, task: task.steps.run("one", lambda _: 1 / 0))
        self.assertEqual("node_failed", tasks.outcome["error"]["code"])
        self.assertEqual([], tasks.posted)

    def test_makes_a_call_once_at_most(self):
        def handler(_, task):
            return task.steps.once("one", lambda _: 1)

        place = {"ordinal": 0, "name": "one"}
        self.assertEqual([place, {**place, "result": 1}], self.attempt(handler).posted)
        again = self.attempt(handler, [step(0, "one", "lost")])
        self.assertEqual("unknown_outcome", again.outcome["error"]["code"])
        self.assertEqual([], again.posted)

    def test_fails_a_task_with_other_steps_whatever_its_handler_does(self):
        def handler(_, task):
            try:
                return task.steps.run("one", lambda _: 1)
            except TaskFailed:
                return 2

        asked = [done(0, "one", True, "ask"), done(1, "other")]
        for other in ([done(0, "other")], [done(0, "one"), done(1, "other")], asked):
            error = self.attempt(handler, other).outcome["error"]
            self.assertEqual("step_mismatch", error["code"])
            self.assertIn("ask" if other is asked else "other", error["message"])

    def test_asks_again_until_a_step_is_recorded(self):
        failures = [ServiceUnreachableError("gone")]

        def answer():
            if failures:
                raise failures.pop()

        tasks = self.attempt(lambda _, task: task.steps.run("one", lambda _: 1), (), answer)
        self.assertEqual({"result": 1}, tasks.outcome)

    def test_is_cancelled_when_another_worker_has_the_task(self):
        seen = []

        def answer():
            raise api_error(409, {"code": "task_lease_lost"}, None)

        def handler(_, task):
            seen.append(task)
            return task.steps.run("one", lambda _: 1)

        self.assertIsNone(self.attempt(handler, (), answer).outcome)
        self.assertTrue(seen[0].cancelled.is_set())

    def test_makes_no_call_for_a_task_that_does_not_count_any_more(self):
        calls, caught = [], []

        def answer():
            raise api_error(409, {"code": "task_lease_lost"}, None)

        def handler(_, task):
            try:
                task.steps.run("one", calls.append)
            except TaskFailed as failure:
                caught.append(failure)
            finally:
                task.steps.run("two", calls.append)

        self.attempt(handler, (), answer)
        self.assertEqual((["i-0"], []), (calls, caught))

    def test_gives_its_task_back_to_sleep_and_to_ask(self):
        behind = []

        def sleeps(_, task):
            try:
                task.steps.sleep("rest", 1.5)
            finally:
                behind.append(task.cancelled.is_set())

        def asks(_, task):
            answer = task.steps.ask("sure", {"payload": Receipt("r")})
            behind.append(answer)
            return answer

        place = {"ordinal": 0, "name": "rest"}
        for recorded in ([], [step(0, "rest", "waiting", "sleep")]):
            tasks = self.attempt(sleeps, recorded)
            self.assertEqual([{**place, "sleep": "1500ms"}], tasks.posted)
            self.assertIsNone(tasks.outcome)
        self.assertEqual([True, True], behind)
        tasks = self.attempt(asks)
        self.assertEqual({"payload": {"number": "r"}}, tasks.posted[0]["ask"])
        self.assertIsNone(tasks.outcome)
        self.assertEqual([True, True], behind)

    def test_goes_on_behind_a_sleep_and_with_an_answer(self):
        def handler(_, task):
            task.steps.sleep("rest", 60)
            return task.steps.ask("sure", {"payload": "?"}, Receipt).number

        recorded = [done(0, "rest", "2026-01-01T00:00:00Z", "sleep")]
        tasks = self.attempt(handler, recorded + [done(1, "sure", {"number": "r"}, "ask")])
        self.assertEqual({"result": "r"}, tasks.outcome)
        self.assertEqual([], tasks.posted)

    def test_answers_questions_of_a_test_with_their_default(self):
        def handler(_, task):
            task.steps.sleep("rest", 60)
            return task.steps.ask("sure", {"payload": "?", "default_answer": 7})

        worker = Worker()
        worker.task("work")(handler)
        self.assertEqual(7, worker.test("work", 1).result)

    def test_reads_what_is_recorded_as_a_type(self):
        def handler(_, task):
            return task.steps.run("one", lambda _: Receipt("new"), Receipt).number

        self.assertEqual({"result": "new"}, self.attempt(handler).outcome)
        recorded = [done(0, "one", {"number": "old"})]
        self.assertEqual({"result": "old"}, self.attempt(handler, recorded).outcome)
        bad = self.attempt(handler, [done(0, "one", 7)])
        self.assertEqual("bad_step_result", bad.outcome["error"]["code"])

    def test_fails_a_task_whose_step_returns_no_json(self):
        tasks = self.attempt(lambda _, task: task.steps.run("one", lambda _: {1, 2}))
        self.assertEqual("invalid_result", tasks.outcome["error"]["code"])
        self.assertEqual([], tasks.posted)

    def test_makes_steps_one_behind_the_other_under_names(self):
        def handler(_, task):
            task.steps.run("one", lambda _: task.steps.run("two", lambda _: 1))

        self.assertIn("behind", self.attempt(handler).outcome["error"]["message"])
        tasks = self.attempt(lambda _, task: task.steps.run("no name", lambda _: 1))
        self.assertIn("no name", tasks.outcome["error"]["message"])

    def test_makes_steps_without_a_service_in_a_test(self):
        worker = Worker()
        worker.task("work")(lambda _, task: task.steps.once("one", lambda _: Receipt("r"), Receipt))
        self.assertEqual({"number": "r"}, worker.test("work", 1).result)


if __name__ == "__main__":
    unittest.main()
