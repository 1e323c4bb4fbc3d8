export interface Difference {
  channel: string;
  kind: 'added' | 'changed' | 'removed';
  before?: unknown;
  after?: unknown;
}

/** A place within a value that differs, as a JSON pointer. */
export interface Place {
  pointer: string;
  kind: Difference['kind'];
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

/** The places at which two values differ, `max` of them at most: of long lists and objects only what is different. */
export function places(before: unknown, after: unknown, max: number): Place[] {
  const found: Place[] = [];
  compare(before, after, '', (place) => found.push(place) < max);
  return found;
}

/** Tells each place that differs, until it is told to stop; says whether to go on. */
function compare(before: unknown, after: unknown, pointer: string, tell: (place: Place) => boolean): boolean {
  if (same(before, after)) return true;
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return tell({ pointer, kind: 'changed', before, after });
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of keys) {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const goOn = !(key in before)
      ? tell({ pointer: at, kind: 'added', after: after[key] })
      : !(key in after)
        ? tell({ pointer: at, kind: 'removed', before: before[key] })
        : compare(before[key], after[key], at, tell);
    if (!goOn) return false;
  }
  return true;
}

function isContainer(value: unknown): value is State {
  return typeof value === 'object' && value !== null;
}

function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isContainer(one) || !isContainer(other)) return false;
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((it, i) => same(it, other[i]));
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]));
}
