export const texts = {
  title: 'Inbox',
  none: 'No run asks anything. A question of a node of type human appears here, and stays until it is answered or expires.',
  more: 'There are more questions. They appear when these are answered.',
};
