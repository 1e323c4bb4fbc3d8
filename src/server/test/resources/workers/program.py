# Lines are printed whole, since threads print. Arguments: how many tasks at a time; `work`, or `linger` until the file
# named behind it is there, or `steps` that call the address behind it.
import os
import sys
import time
import urllib.request

from superstep import ConflictError, Superstep, SuperstepError, TaskFailed, Worker

client = Superstep()
worker = Worker(concurrency=int(sys.argv[1]))


def step(steps, value, place):
    if place == 4:
        steps.sleep("rest", 0.3)

    def call(_):
        with urllib.request.urlopen(f"{sys.argv[3]}{value}/{place}") as answer:
            return answer.read().decode()

    try:
        return (steps.once if place == 2 else steps.run)(f"step-{place}", call)
    except TaskFailed as failure:
        if failure.error["code"] != "unknown_outcome":
            raise
        return failure.error["code"]


@worker.task("number")
def number(value, task):
    if sys.argv[2] == "work":
        return {"number": value}
    if sys.argv[2] == "steps":
        return {"number": value, "results": [step(task.steps, value, place) for place in range(5)]}
    print("lingers\n", end="", flush=True)
    while not os.path.exists(sys.argv[3]):
        time.sleep(0.5)
    while True:
        try:
            client.tasks.end(task.claimed.id, token=task.claimed.token, result={"number": -1})
            print("counted\n", end="", flush=True)
            break
        except ConflictError as error:
            print(f"refused {error.code}\n", end="", flush=True)
            break
        except SuperstepError:
            pass  # the connection was closed meanwhile
    time.sleep(600)


worker.run(client)
