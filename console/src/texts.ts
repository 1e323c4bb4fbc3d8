const lacking = {
  read: 'look at anything (scope read)',
  run: 'start, answer, resume, cancel and fork runs (scope run)',
  author: 'write and check graphs, try expressions (scope author)',
  operate: 'delete and manage keys (scope operate)',
};

/** The words of the frame; each page keeps its own in a `texts.ts` beside it. */
export const texts = {
  product: 'Superstep',
  navigation: { home: 'Home', runs: 'Runs', inbox: 'Inbox', graphs: 'Graphs', threads: 'Threads', catalog: 'Catalog', api: 'API' },
  toggleNavigation: 'Open or close the navigation',
  toggleColors: 'Switch between light and dark',
  skipToContent: 'Skip to the content',
  loading: 'Loading',
  again: 'Try again',
  value: { all: 'Show all of it', less: 'Show less', save: 'Save as a file' },
  notFound: 'There is no such page.',
  key: {
    change: 'Enter an API key',
    title: 'This server needs an API key',
    label: 'API key',
    hint: 'It is kept in this tab only, and forgotten when the tab is closed.',
    use: 'Use this key',
    forget: 'Forget the key',
  },
  form: {
    required: (label: string) => `${label} (required)`,
    item: (label: string, index: number) => `${label} ${index + 1}`,
    add: 'Add',
    addItem: (label: string) => `Add to ${label}`,
    remove: 'Remove',
    removeItem: (label: string, index: number) => `Remove ${label} ${index + 1}`,
    json: (label: string) => `${label} (JSON)`,
    notJson: 'This is not JSON',
  },
  access: {
    readOnly: 'read only',
    mayNotAnswer: 'This key may not answer: it lacks the scope run.',
    only: (scopes: readonly string[]) => (scopes.length ? `may ${scopes.join(', ')}` : 'may do nothing'),
    lacks: (scopes: readonly ('read' | 'run' | 'author' | 'operate')[]) => `What this key may not do is left out: ${scopes.map((it) => lacking[it]).join('; ')}.`,
  },
};
