import type { Schemas } from '../../api/client';

const max = 160;

/** What most graphs ask by: a text, or an object with a question in it. */
function question(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'question' in payload && typeof payload.question === 'string' ? payload.question : payload;
}

/** A question in one line: what is asked, or else why. */
export function excerpt({ payload, reason }: Pick<Schemas['Interrupt'], 'payload' | 'reason'>): string {
  const text = question(payload);
  const asked = typeof text === 'string' ? text : text === undefined || text === null ? '' : JSON.stringify(text);
  const line = asked.replace(/\s+/g, ' ').trim() || reason;
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

/** What two lists have brought, in the order of one. */
export function newestFirst<T extends { created_at: string }>(items: T[]): T[] {
  return items.toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}
