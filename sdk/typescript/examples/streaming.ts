// Shows a run while it goes on, and reads it once more from the middle.
import { Superstep } from "@superstep/client";

const client = new Superstep();

await client.graphs.create(`
name: sdk-streaming
nodes:
  - { id: greet, type: expression, config: { update: { greeting: "Hello {{ state.name }}!" } }, next: [count] }
  - { id: count, type: expression, config: { update: { letters: "{{ size(state.greeting) }}" } } }
`);

let runId = "";
const body = { graph: "sdk-streaming", input: { name: "Ada" } };
for await (const event of client.runs.startStream(body, { with: "changes" })) {
  runId = event.run_id;
  if (event.type === "superstep.committed") {
    console.log("superstep", event.superstep);
  }
}
console.log("output", JSON.stringify((await client.runs.get(runId)).output));

// Events are stored: whoever comes later, or back, says what was the last one seen.
for await (const event of client.runs.stream(runId, { lastEventId: 2 })) {
  console.log(event.seq, event.type);
}
