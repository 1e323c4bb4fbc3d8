// Does the tasks of graphs. Told to end, it claims nothing more, and does what it has in hand.
import { TaskFailed, Worker, type WorkerTask } from "@superstep/client";

interface Order {
  id: string;
  cents: number;
}

interface Receipt {
  number: string;
}

interface Parcel {
  id: string;
  steps: number;
}

const worker = new Worker({ concurrency: 5 })
  .handle("charge", async (order: Order, task): Promise<Receipt> => {
    if (order.cents > 10_000) {
      throw new TaskFailed("card_declined", `${order.cents} cents are too much`);
    }
    // What is recorded is not paid again, whoever repeats the task.
    return task.steps.run("pay", (key) => pay(order, key));
  })
  .handle("ship", ship);

/** The key is equal for every attempt, so that the bank knows a payment again. */
async function pay(order: Order, key: string): Promise<Receipt> {
  console.log("pays", order.id, key);
  return { number: `r-${order.id}` };
}

async function ship(parcel: Parcel, task: WorkerTask): Promise<Receipt> {
  console.log("ships", parcel.id);
  for (let step = 0; step < parcel.steps; step++) {
    await new Promise((done) => setTimeout(done, 100));
    if (task.signal.aborted) {
      console.log("cancelled", parcel.id);
    }
    task.signal.throwIfAborted();
    task.progress({ steps: step });
  }
  console.log("shipped", parcel.id);
  return { number: `p-${parcel.id}` };
}

console.log("declined:", (await worker.test("charge", { id: "0", cents: 20_000 })).error?.code);
await worker.run();
