# Lines are printed whole, since threads print. Arguments: how many tasks at a time; `work`, or `linger` until the file named behind it is there.
import os
import sys
import time

from superstep import ConflictError, Superstep, SuperstepError, Worker

client = Superstep()
worker = Worker(concurrency=int(sys.argv[1]))


@worker.task("number")
def number(value, task):
    if sys.argv[2] == "work":
        return {"number": value}
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
