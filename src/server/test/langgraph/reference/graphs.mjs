// The graphs under ../graphs, written for LangGraph, to ask its own server what a client sees of them.
import { ChatOpenAI } from '@langchain/openai';
import { ToolMessage } from '@langchain/core/messages';
import { Annotation, END, MessagesAnnotation, Send, START, StateGraph, interrupt } from '@langchain/langgraph';

const tool = (name, description, properties) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required: Object.keys(properties) } },
});
const text = { type: 'string' };
const TOOLS = [tool('weather', 'Tells the weather of a city.', { city: text }), tool('send_mail', 'Sends a mail.', { to: text, text })];
const RUN = { weather: ({ city }) => `sunny in ${city}`, send_mail: ({ to }) => `sent to ${to}` };

const chat = () =>
  new ChatOpenAI({ model: 'fake', apiKey: 'none', maxRetries: 0, configuration: { baseURL: `${process.env.MODEL_URL}/v1` } }).bindTools(TOOLS);

const Chat = Annotation.Root({ ...MessagesAnnotation.spec, decision: Annotation() });

export const agent = new StateGraph(Chat)
  .addNode('model', async (state) => ({ messages: [await chat().invoke(state.messages)] }))
  .addNode('approve', (state) => {
    const [answer] = interrupt({
      action_request: { action: 'send_mail', args: state.messages.at(-1).tool_calls[0].args },
      config: { allow_accept: true, allow_edit: false, allow_respond: true, allow_ignore: true },
      description: 'May this mail be sent?',
    });
    return { decision: answer.type };
  })
  .addNode('refused', (state) => {
    const [call] = state.messages.at(-1).tool_calls;
    return { messages: [new ToolMessage({ tool_call_id: call.id, name: call.name, content: 'refused' })] };
  })
  .addNode('tools', (state) => ({
    messages: state.messages.at(-1).tool_calls.map((call) => new ToolMessage({ tool_call_id: call.id, name: call.name, content: RUN[call.name](call.args) })),
  }))
  .addEdge(START, 'model')
  .addConditionalEdges(
    'model',
    (state) => {
      const calls = state.messages.at(-1).tool_calls ?? [];
      if (!calls.length) return END;
      return calls.some((call) => call.name === 'send_mail') ? 'approve' : 'tools';
    },
    [END, 'approve', 'tools'],
  )
  .addConditionalEdges('approve', (state) => (state.decision === 'accept' ? 'tools' : 'refused'), ['tools', 'refused'])
  .addEdge('refused', 'model')
  .addEdge('tools', 'model')
  .compile();

const append = Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
const Steps = Annotation.Root({ log: append, count: Annotation({ reducer: (left, right) => left + right, default: () => 0 }) });

export const steps = new StateGraph(Steps)
  .addNode('a', () => ({ log: ['a'], count: 1 }))
  .addNode('b', () => ({ log: ['b'], count: 10 }))
  .addEdge(START, 'a')
  .addEdge('a', 'b')
  .addEdge('b', END)
  .compile();

export const asks = new StateGraph(Annotation.Root({ answers: append, last: Annotation() }))
  .addNode('left', () => ({ answers: [interrupt({ q: 'left' })] }))
  .addNode('right', () => ({ answers: [interrupt({ q: 'right' })] }))
  .addNode('third', () => ({ last: interrupt({ q: 'third' }) }))
  .addEdge(START, 'left')
  .addEdge(START, 'right')
  .addEdge('left', 'third')
  .addEdge('right', 'third')
  .compile();

export const fans = new StateGraph(Annotation.Root({ found: append, total: Annotation() }))
  .addNode('plan', () => ({}))
  .addNode('research', (input, config) => {
    config.writer?.({ topic: input.topic });
    return { found: [input.topic] };
  })
  .addNode('sum', (state) => ({ total: state.found.length }))
  .addEdge(START, 'plan')
  .addConditionalEdges('plan', () => ['x', 'y', 'z'].map((topic) => new Send('research', { topic })), ['research'])
  .addEdge('research', 'sum')
  .compile();

export const outer = new StateGraph(Annotation.Root({ topic: Annotation(), log: append, count: Annotation() }))
  .addNode('before', () => ({ log: ['before'] }))
  .addNode('sub', async (_, config) => ({ log: (await steps.invoke({}, config)).log }), { subgraphs: [steps] })
  .addNode('after', () => ({ log: ['after'] }))
  .addEdge(START, 'before')
  .addEdge('before', 'sub')
  .addEdge('sub', 'after')
  .compile();
