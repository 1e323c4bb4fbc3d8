// Graphs in which a node does each of the things that nodes do, to record what LangGraph's own server streams of it.
import { AIMessage } from '@langchain/core/messages';
import { Annotation, Command, MessagesAnnotation, Send, START, StateGraph, interrupt } from '@langchain/langgraph';

const append = Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
const State = Annotation.Root({ ...MessagesAnnotation.spec, log: append, word: Annotation() });
const last = () => ({ log: ['last'] });
const graph = (work) => new StateGraph(State).addNode('work', work).addNode('last', last).addEdge(START, 'work').addEdge('work', 'last').compile();

export const writes = graph(() => ({ log: ['work'] }));
export const says = graph(() => ({ messages: [new AIMessage({ id: 'm', content: 'work' })] }));
export const nothing = graph(() => ({}));
export const routes = new StateGraph(State)
  .addNode('work', () => new Command({ goto: 'last' }), { ends: ['last'] })
  .addNode('last', last)
  .addEdge(START, 'work')
  .compile();
export const tells = graph((_, config) => {
  config.writer?.({ found: 1 });
  return { log: ['work'] };
});
export const fails = graph(() => {
  throw new Error('no luck');
});
export const asks = graph(() => ({ log: [interrupt({ q: 'well' })] }));
const inner = new StateGraph(State).addNode('deep', () => ({ log: ['deep'] })).addEdge(START, 'deep').compile();
export const calls = graph(async (_, config) => ({ log: (await inner.invoke({}, config)).log }));
export const sends = new StateGraph(State)
  .addNode('work', () => ({}))
  .addNode('one', ({ word }) => ({ log: [word] }))
  .addNode('last', last)
  .addEdge(START, 'work')
  .addConditionalEdges('work', () => ['x', 'y'].map((word) => new Send('one', { word })), ['one'])
  .addEdge('one', 'last')
  .compile();
export const beside = new StateGraph(State)
  .addNode('left', () => ({ log: ['left'] }))
  .addNode('quiet', () => ({}))
  .addNode('right', () => ({ log: [interrupt({ q: 'right' })] }))
  .addNode('last', last)
  .addEdge(START, 'left')
  .addEdge(START, 'quiet')
  .addEdge(START, 'right')
  .addEdge(['left', 'quiet', 'right'], 'last')
  .compile();
