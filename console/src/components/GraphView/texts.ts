export const texts = {
  label: (name: string) => `Graph ${name}`,
  unfold: (graph: string) => `Unfold ${graph}`,
  fold: (graph: string) => `Fold ${graph}`,
  overview: 'Overview of the graph',
  find: 'Find a node',
  nothing: 'No node is called so',
  noLayout: 'What lays out graphs could not be loaded',
  drawing: 'Drawing the graph',
};
