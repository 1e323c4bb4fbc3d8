import type { Schemas } from '../api/client';
import { difference, type Difference } from './diff';

/** A state without its large values. */
export interface CutState {
  state: Record<string, unknown>;
  omitted?: Omitted[];
}

/** A large value that a state comes without: how large it is, how it begins, and what tells it from others. */
export type Omitted = Schemas['OmittedValue'];

/** A channel that differs between two states; of a side that was left out, what is known of it. */
export interface CutDifference extends Difference {
  omitted?: { before?: Omitted; after?: Omitted };
}

/** What differs between two states of which large values were left out; their hashes tell whether they do. */
export function cutDifference(before: CutState, after: CutState): CutDifference[] {
  const [mine, its] = [byChannel(before), byChannel(after)];
  const large = new Set([...mine.keys(), ...its.keys()]);
  const small = (state: Record<string, unknown>) => Object.fromEntries(Object.entries(state).filter(([channel]) => !large.has(channel)));
  const found: CutDifference[] = difference(small(before.state), small(after.state));
  for (const channel of large) {
    const omitted = { before: mine.get(channel), after: its.get(channel) };
    if (omitted.before?.hash === omitted.after?.hash) continue;
    const [was, is] = [omitted.before !== undefined || channel in before.state, omitted.after !== undefined || channel in after.state];
    found.push({ channel, kind: !was ? 'added' : !is ? 'removed' : 'changed', before: before.state[channel], after: after.state[channel], omitted });
  }
  return found.sort((one, other) => (one.channel < other.channel ? -1 : 1));
}

function byChannel({ omitted = [] }: CutState): Map<string, Omitted> {
  return new Map(omitted.map((it) => [it.channel, it]));
}

/** The beginning of a JSON text as people read it, in lines, as `JSON.stringify(value, null, 2)` would begin; a text without its quotes. */
export function indented(json: string): string {
  if (json.startsWith('"')) return unquoted(json);
  let [text, depth, quoted] = ['', 0, false];
  const line = () => `\n${'  '.repeat(depth)}`;
  for (let at = 0; at < json.length; at++) {
    const it = json[at]!;
    if (quoted) {
      text += it === '\\' ? it + (json[++at] ?? '') : it;
      quoted = it !== '"';
    } else if (it === '"') {
      text += it;
      quoted = true;
    } else if (it === '{' || it === '[') {
      depth++;
      const empty = json[at + 1] === '}' || json[at + 1] === ']';
      text += empty ? it : it + line();
    } else if (it === '}' || it === ']') {
      depth--;
      const empty = json[at - 1] === '{' || json[at - 1] === '[';
      text += empty ? it : line() + it;
    } else text += it === ',' ? it + line() : it === ':' ? ': ' : it;
  }
  return text;
}

/** As much of a JSON text's string as is whole. */
function unquoted(json: string): string {
  for (let end = json.length; end > json.length - 6 && end > 0; end--) {
    try {
      return JSON.parse(`${json.slice(0, end)}"`) as string;
    } catch {
      // It ends within an escape sequence.
    }
  }
  return json;
}
