"""Does the tasks of graphs. Told to end, it claims nothing more, and does what it has in hand."""

from dataclasses import dataclass

from superstep import TaskFailed, Worker, WorkerTask


@dataclass
class Order:
    id: str
    cents: int


@dataclass
class Receipt:
    number: str


@dataclass
class Parcel:
    id: str
    steps: int


worker = Worker(concurrency=5)


@worker.task("charge")
def charge(order: Order, task: WorkerTask) -> Receipt:
    if order.cents > 10_000:
        raise TaskFailed("card_declined", f"{order.cents} cents are too much")
    # What is recorded is not paid again, whoever repeats the task.
    return task.steps.run("pay", lambda key: pay(order, key), Receipt)


def pay(order: Order, key: str) -> Receipt:
    """The key is equal for every attempt, so that the bank knows a payment again."""
    print(f"pays {order.id} {key}\n", end="", flush=True)
    return Receipt(f"r-{order.id}")


@worker.task("ship")
def ship(parcel: Parcel, task: WorkerTask) -> Receipt:
    print("ships", parcel.id, flush=True)
    for step in range(parcel.steps):
        if task.cancelled.wait(0.1):
            print("cancelled", parcel.id, flush=True)
            raise TaskFailed("cancelled")
        task.progress({"steps": step})
    print("shipped", parcel.id, flush=True)
    return Receipt(f"p-{parcel.id}")


print("declined:", worker.test("charge", Order("0", 20_000)).error.code, flush=True)
worker.run()
