import type { RunEvent } from './stream';

/** What a model has written so far in one task; `points` is the length of the text in code points. */
export interface Words {
  node: string;
  dispatch?: string;
  superstep: number;
  text: string;
  points: number;
  textId: string;
}

/** Adds a live piece of text to what its task has written. Costs what the piece is long, unless pieces overlap. */
export function addDelta(words: Map<string, Words>, event: RunEvent): void {
  const superstep = event.superstep ?? 0;
  const node = event.node ?? '';
  const key = `${superstep}/${node}/${event.dispatch_id ?? ''}`;
  const offset = Number(event.data.offset ?? 0);
  const piece = String(event.data.text ?? '');
  const textId = String(event.data.text_id ?? '');
  const before = words.get(key) ?? { node, dispatch: event.dispatch_id, superstep, text: '', points: 0, textId };
  // Offsets count code points, strings of JavaScript do not.
  let { text, points } = before;
  // A text so far begins at 0, too. Of another text whose beginning was lost nothing belongs to what is there.
  if (offset === 0 || textId !== before.textId) [text, points] = ['', 0];
  if (offset < points) [text, points] = [Array.from(text).slice(0, offset).join(''), offset];
  else if (offset > points) [text, points] = [`${text}…`, offset];
  words.set(key, { ...before, textId, text: text + piece, points: points + codePoints(piece) });
}

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xdc00 || unit > 0xdfff) count++;
  }
  return count;
}
