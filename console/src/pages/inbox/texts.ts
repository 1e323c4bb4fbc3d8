export const texts = {
  title: 'Inbox',
  whose: 'Whose questions',
  all: 'All',
  assigned: { me: 'Mine', nobody: "Nobody's yet" },
  none: 'No run asks anything. A question of a node of type human appears here, and stays until it is answered or expires.',
  noneOf: { me: 'No question is assigned to you.', nobody: 'There is no question that you could claim.' },
  more: 'There are more questions. They appear when these are answered.',
};
