export const texts = {
  title: 'Threads',
  none: 'No run has a thread. Start runs with the same thread_id, and they share a state: a conversation.',
  thread: (id: string) => `Thread ${id}`,
  messages: 'Messages',
  toolCalls: 'Tool calls',
  runs: 'Runs',
  state: 'State',
  stateOf: 'State of the thread',
};
