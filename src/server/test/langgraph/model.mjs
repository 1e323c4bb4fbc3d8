// A chat model that speaks OpenAI's chat completions and says what its last message asks it to say.
// It can stop in the middle of an answer until a test lets it go on, so that no test has to sleep.
import { createServer } from 'node:http';

/** What the model says to a request: words, which come one piece each, or a call of a tool. */
function answer(messages, rounds) {
  const last = messages.at(-1);
  const text = typeof last.content === 'string' ? last.content : (last.content ?? []).map((part) => part.text ?? '').join('');
  if (last.role === 'tool') return { words: `The tools say: ${text}` };
  let found;
  if ((found = /^weather in (.+)$/.exec(text))) return { tool: 'weather', args: { city: found[1] } };
  if ((found = /^mail to (.+)$/.exec(text))) return { tool: 'send_mail', args: { to: found[1], text: 'Hello' } };
  if ((found = /^hold (\S+)$/.exec(text))) return { words: `Before ${found[1]}`, hold: found[1], rest: ` and after ${found[1]}.` };
  if ((found = /^count to (\d+)$/.exec(text))) return { words: Array.from({ length: +found[1] }, (_, i) => i + 1).join(' ') };
  if ((found = /^again (\S+)$/.exec(text))) {
    rounds.set(found[1], (rounds.get(found[1]) ?? 0) + 1);
    return { words: `Answer ${rounds.get(found[1])}` };
  }
  if (text === 'fail') return { refuse: true };
  return { words: `You said: ${text}` };
}

const pieces = (words) => words.match(/\s*\S+/g) ?? [];
/** Words come one by one, as from a real model. */
const PACE = Number(process.env.MODEL_PACE ?? 3);
const pause = () => PACE > 0 && new Promise((resolve) => setTimeout(resolve, PACE));
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

export async function startModel(port = 0) {
  const rounds = new Map();
  const gates = new Map();
  let calls = 0;
  /** A place where answers stop: `held` when one has come there, `open` lets all through for good. */
  const gate = (key) => {
    if (!gates.has(key)) {
      const it = { count: 0, waiting: [] };
      it.opened = new Promise((resolve) => (it.open = resolve));
      it.came = () => {
        it.count++;
        it.waiting.splice(0).forEach((resolve) => resolve());
      };
      it.held = (times = 1) => (it.count >= times ? Promise.resolve() : new Promise((resolve) => it.waiting.push(resolve)).then(() => it.held(times)));
      gates.set(key, it);
    }
    return gates.get(key);
  };

  async function complete(request, response) {
    calls++;
    const said = answer(request.messages, rounds);
    if (said.refuse) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { message: 'the model refuses', type: 'invalid_request_error', code: 'refused' } }));
    }
    const head = { id: `chatcmpl-${calls}-${Date.now()}`, created: 1, model: request.model };
    const toolCalls = said.tool && [
      { index: 0, id: `call_${calls}_${Date.now()}`, type: 'function', function: { name: said.tool, arguments: JSON.stringify(said.args) } },
    ];
    const finish = said.tool ? 'tool_calls' : 'stop';
    if (!request.stream) {
      if (said.hold) {
        gate(said.hold).came();
        await gate(said.hold).opened;
      }
      const message = { role: 'assistant', content: said.tool ? null : said.words + (said.rest ?? '') };
      if (toolCalls) message.tool_calls = toolCalls.map(({ index: _, ...call }) => call);
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta, finish_reason = null) =>
      response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    send({ role: 'assistant', content: '' });
    if (toolCalls) {
      const [call] = toolCalls;
      send({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] });
      for (const part of call.function.arguments.match(/.{1,8}/g)) send({ tool_calls: [{ index: 0, function: { arguments: part } }] });
    } else {
      for (const piece of pieces(said.words)) {
        send({ content: piece });
        await pause();
      }
      if (said.hold) {
        gate(said.hold).came();
        await gate(said.hold).opened;
        for (const piece of pieces(said.rest)) send({ content: piece });
      }
    }
    send({}, finish);
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })}\n\n`);
    response.end('data: [DONE]\n\n');
  }

  const server = createServer(async (request, response) => {
    try {
      const url = new URL(request.url, 'http://model');
      const [, control, key, action] = url.pathname.split('/');
      if (control === 'gates') {
        if (action === 'held') await gate(key).held(Number(url.searchParams.get('times') ?? 1));
        else gate(key).open();
        response.writeHead(204);
        return response.end();
      }
      const parts = [];
      for await (const part of request) parts.push(part);
      await complete(JSON.parse(Buffer.concat(parts)), response);
    } catch (error) {
      response.destroy(error);
    }
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  console.log((await startModel(Number(process.argv[2] ?? 0))).url);
}
