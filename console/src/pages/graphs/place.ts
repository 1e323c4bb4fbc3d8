import { isMap, isPair, isScalar, isSeq, parseDocument, visit, type Node as YamlNode } from 'yaml';

export type Path = (string | number)[];

/** Where the cursor stands in a definition that may be half written. */
export interface Place {
  kind: 'key' | 'value';
  /** Of the map that the key belongs to, or of the value. */
  path: Path;
  /** The definition as far as it can be read, without what is being written. */
  data: unknown;
  /** The keys that the map has already. */
  taken: string[];
  /** Where the word begins that is being written. */
  from: number;
  quoted: boolean;
  /** Whether the key has its colon already. */
  colon: boolean;
}

const cursor = 'XcursorX';
const wordBefore = /[\w#.$/-]*$/;
const wordAfter = /^[\w#.$/-]*/;
/** Nothing but dashes before the word: it is a key, or an item of a list. */
const onlyWord = /^\s*(- +)*$/;

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(cursor, '');
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.includes(cursor))
      .map(([key, part]) => [key, clean(part)]),
  );
}

/** The path that leads through these nodes: a pair is a step into a map, a place in a list is one, too. */
function pathOf(ancestors: readonly unknown[], last: unknown): Path {
  return ancestors.flatMap((node, index): Path => {
    const next = ancestors[index + 1] ?? last;
    if (isPair(node)) return next === node.key ? [] : [isScalar(node.key) ? String(node.key.value) : ''];
    return isSeq(node) ? [node.items.indexOf(next)] : [];
  });
}

/** Finds out what is being written at a position of a definition; undefined in comments and the like. */
export function placeAt(text: string, position: number): Place | undefined {
  const before = text.slice(0, position);
  const from = position - (wordBefore.exec(before)?.[0].length ?? 0);
  const rest = text.slice(position);
  const after = position + (wordAfter.exec(rest)?.[0].length ?? 0);
  const lineEnd = text.indexOf('\n', after) < 0 ? text.length : text.indexOf('\n', after);
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const colon = /^\s*:/.test(text.slice(after, lineEnd));
  // As a key of its own the word does not take the next line for its rest.
  const asKey = onlyWord.test(line) && text.slice(after, lineEnd).trim() === '';
  // The end of a line ends a text whose quote is not closed yet, as far as it can be.
  const marked = `${text.slice(0, position)}${cursor}${text.slice(position, after)}${asKey ? ':' : ''}${text.slice(after)}\n`;
  const document = parseDocument(marked, { strict: false, uniqueKeys: false, logLevel: 'silent' });
  let found: Omit<Place, 'data'> | undefined;
  visit(document, {
    Scalar(key, node, ancestors) {
      if (!String(node.value).includes(cursor)) return undefined;
      const map = ancestors.findLast((it) => isMap(it));
      const siblings = isMap(map) ? map.items.map((it) => String((it.key as YamlNode & { value?: unknown })?.value ?? '')) : [];
      found = {
        kind: key === 'key' ? 'key' : 'value',
        path: pathOf(ancestors, node),
        taken: siblings.filter((it) => !it.includes(cursor)),
        from,
        quoted: /["']$/.test(before.slice(0, from)),
        colon,
      };
      return visit.BREAK;
    },
  });
  if (!found) return undefined;
  try {
    return { ...found, data: clean(document.toJS({ maxAliasCount: 100 })) };
  } catch {
    return { ...found, data: {} };
  }
}

/** What is at a path of the data. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined), data);
}
