import type { RunEvent } from './stream';

/** What a model has written so far in one task; `points` is the length of the text in code points. */
export interface Words {
  node: string;
  dispatch?: string;
  superstep: number;
  text: string;
  points: number;
}

/** Adds a live piece of text to what its task has written. Costs what the piece is long, unless pieces overlap. */
export function addDelta(words: Map<string, Words>, event: RunEvent): void {
  const superstep = event.superstep ?? 0;
  const node = event.node ?? '';
  const key = `${superstep}/${node}/${event.dispatch_id ?? ''}`;
  const offset = Number(event.data.offset ?? 0);
  const piece = String(event.data.text ?? '');
  const before = words.get(key) ?? { node, dispatch: event.dispatch_id, superstep, text: '', points: 0 };
  // Offsets count code points, strings of JavaScript do not.
  let { text, points } = before;
  if (offset === 0) [text, points] = ['', 0];
  else if (offset < points) [text, points] = [Array.from(text).slice(0, offset).join(''), offset];
  else if (offset > points) [text, points] = [`${text}…`, offset];
  words.set(key, { ...before, text: text + piece, points: points + codePoints(piece) });
}

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xdc00 || unit > 0xdfff) count++;
  }
  return count;
}
