// Arguments: how many tasks at a time; `work`, or `linger` until the file named behind it is there, or `steps` that call the
// address behind it.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ConflictError, Superstep, Worker } from "@superstep/client";

const [concurrency, mode, file] = process.argv.slice(2);
const client = new Superstep();
const worker = new Worker({ concurrency: Number(concurrency) });

worker.handle("number", async (value, task) => {
  if (mode === "work") return { number: value };
  if (mode === "steps") {
    const results = [];
    for (let place = 0; place < 5; place++) results.push(await step(task.steps, value, place));
    return { number: value, results };
  }
  console.log("lingers");
  while (!existsSync(file)) await sleep(500);
  const { id, token } = task.claimed;
  for (let answered = false; !answered; ) {
    try {
      await client.tasks.end(id, { token, result: { number: -1 } });
      console.log("counted");
      answered = true;
    } catch (error) {
      answered = error instanceof ConflictError; // else the connection was closed meanwhile
      if (answered) console.log("refused", error.code);
    }
  }
  await sleep(600_000);
});

async function step(steps, value, place) {
  if (place === 4) await steps.sleep("rest", 300);
  const call = async () => (await fetch(`${file}${value}/${place}`)).text();
  try {
    return await steps[place === 2 ? "once" : "run"](`step-${place}`, call);
  } catch (error) {
    if (error.error?.code !== "unknown_outcome") throw error;
    return error.error.code;
  }
}

await worker.run(client);
