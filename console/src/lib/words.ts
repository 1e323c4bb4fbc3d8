import type { RunEvent } from './stream';

/** What a model has written so far in one task. */
export interface Words {
  node: string;
  dispatch?: string;
  superstep?: number;
  text: string;
}

/** Adds live pieces of text to what is there, by task; a commit drops those of its superstep, which are in the state then. */
export function addWords(before: Record<string, Words>, events: RunEvent[]): Record<string, Words> {
  let words = before;
  for (const event of events) {
    if (event.type === 'superstep.committed') {
      words = Object.fromEntries(Object.entries(words).filter(([, it]) => (it.superstep ?? 0) > (event.superstep ?? 0)));
    } else if (event.type === 'message.delta') {
      const key = `${event.superstep}/${event.node}/${event.dispatch_id ?? ''}`;
      const offset = Number(event.data.offset ?? 0);
      // Offsets count code points, strings of JavaScript do not.
      const had = Array.from(words[key]?.text ?? '');
      const kept = offset > had.length ? [...had, '…'] : had.slice(0, offset);
      words = {
        ...words,
        [key]: { node: event.node ?? '', dispatch: event.dispatch_id, superstep: event.superstep, text: kept.join('') + String(event.data.text ?? '') },
      };
    }
  }
  return words;
}
