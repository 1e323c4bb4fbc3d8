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
};
