import type { Schemas } from '../../api/client';

const max = 160;

/** A question in one line: what is asked, or else why. */
export function excerpt({ payload, reason }: Pick<Schemas['Interrupt'], 'payload' | 'reason'>): string {
  const asked = typeof payload === 'string' ? payload : payload === undefined || payload === null ? '' : JSON.stringify(payload);
  const line = asked.replace(/\s+/g, ' ').trim() || reason;
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
