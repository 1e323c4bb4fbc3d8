export interface Difference {
  channel: string;
  kind: 'added' | 'changed' | 'removed';
  before?: unknown;
  after?: unknown;
}

type State = Record<string, unknown>;

/** What differs between two states, channel by channel, in the order of their names. */
export function difference(before: State, after: State): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((channel): Difference[] => {
    if (!(channel in before)) return [{ channel, kind: 'added', after: after[channel] }];
    if (!(channel in after)) return [{ channel, kind: 'removed', before: before[channel] }];
    if (same(before[channel], after[channel])) return [];
    return [{ channel, kind: 'changed', before: before[channel], after: after[channel] }];
  });
}

function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && same((one as State)[key], (other as State)[key]))
  );
}
