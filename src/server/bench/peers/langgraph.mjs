// W7 by LangGraph JS with its PostgreSQL saver, a checkpoint on disk after every superstep, with
// the paths of the service. A run whose process has died goes on when it is asked for again.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import http from "node:http";

const { SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME, SPRING_DATASOURCE_PASSWORD, TOOLS_URL } =
  process.env;
const database = new URL(SPRING_DATASOURCE_URL.replace("jdbc:", ""));
database.username = SPRING_DATASOURCE_USERNAME;
database.password = SPRING_DATASOURCE_PASSWORD;
const checkpointer = PostgresSaver.fromConnString(database.toString());
await checkpointer.setup();

const State = Annotation.Root({
  messages: Annotation({ reducer: (old, more) => old.concat(more), default: () => [] }),
});

async function answer(response) {
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}

async function askModel({ messages }) {
  const response = await fetch(`${TOOLS_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "stub", messages }),
  });
  const { choices } = await (await answer(response)).json();
  return { messages: [choices[0].message] };
}

async function callTool({ messages }) {
  const [call] = messages.at(-1).tool_calls;
  const content = await (await answer(await fetch(`${TOOLS_URL}/document/${call.id}`))).text();
  return { messages: [{ role: "tool", tool_call_id: call.id, content }] };
}

const graph = new StateGraph(State)
  .addNode("llm", askModel)
  .addNode("tools", callTool)
  .addEdge(START, "llm")
  .addConditionalEdges("llm", ({ messages }) => (messages.at(-1).tool_calls ? "tools" : END))
  .addEdge("tools", "llm")
  .compile({ checkpointer });

async function run({ thread_id, input }) {
  const config = { configurable: { thread_id }, durability: "sync", recursionLimit: 1_000 };
  const { next } = await graph.getState(config);
  const state = await graph.invoke(next.length > 0 ? null : input, config);
  return { status: "succeeded", state };
}

http
  .createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    try {
      const answered = request.url.startsWith("/v1/runs") ? await run(JSON.parse(body)) : {};
      response.end(JSON.stringify(answered));
    } catch (e) {
      console.error(e);
      response.writeHead(500).end(JSON.stringify({ error: `${e}` }));
    }
  })
  .listen(process.env.SERVER_PORT, "127.0.0.1");
