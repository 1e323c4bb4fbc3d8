/** Roughly how many characters a value takes as JSON; stops counting beyond `max`, so that large values cost no more than that. */
export function sizeOf(value: unknown, max: number): number {
  let size = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && size <= max) {
    const it = left.pop();
    if (typeof it === 'string') size += it.length + 2;
    else if (Array.isArray(it)) {
      size += 2;
      for (let i = 0; i < it.length && size + left.length <= max; i++) left.push(it[i]);
      if (size + left.length > max) return max + 1;
    } else if (typeof it === 'object' && it !== null) {
      size += 2;
      for (const key in it) {
        size += key.length + 4;
        if (size > max) return size;
        left.push((it as Record<string, unknown>)[key]);
      }
    } else size += 5;
  }
  return size;
}

const indent = '  ';

/** The first characters of what `JSON.stringify(value, null, 2)` gives, without building the rest; strings are shown as they are. */
export function preview(value: unknown, max: number): { text: string; whole: boolean } {
  if (typeof value === 'string') return { text: value.slice(0, max), whole: value.length <= max };
  let text = '';
  let whole = true;
  const room = () => text.length <= max;
  function write(it: unknown, depth: number) {
    if (!room()) {
      whole = false;
      return;
    }
    if (typeof it === 'string') text += JSON.stringify(it.length > max ? it.slice(0, max + 1) : it);
    else if (Array.isArray(it)) list('[', ']', it.length, depth, (i) => write(it[i], depth + 1));
    else if (typeof it === 'object' && it !== null) {
      const keys = Object.keys(it).filter((key) => (it as Record<string, unknown>)[key] !== undefined);
      list('{', '}', keys.length, depth, (i) => {
        text += `${JSON.stringify(keys[i])}: `;
        write((it as Record<string, unknown>)[keys[i]!], depth + 1);
      });
    } else text += JSON.stringify(it) ?? 'null';
  }
  function list(open: string, close: string, count: number, depth: number, item: (index: number) => void) {
    text += open;
    for (let i = 0; i < count; i++) {
      if (!room()) {
        whole = false;
        return;
      }
      text += `${i ? ',' : ''}\n${indent.repeat(depth + 1)}`;
      item(i);
    }
    if (count) text += `\n${indent.repeat(depth)}`;
    text += close;
  }
  write(value, 0);
  return { text: text.slice(0, max), whole: whole && text.length <= max };
}

/** Where the rows of a text begin: at each line, and again within lines that are longer than `columns`. */
export function rowStarts(text: string, columns: number, rowsMax: number): Uint32Array {
  const starts: number[] = [];
  let at = 0;
  while (at <= text.length && starts.length < rowsMax) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    starts.push(at);
    for (let next = at + columns; next < end && starts.length < rowsMax; next += columns) starts.push(next);
    if (newline < 0) break;
    at = newline + 1;
  }
  return Uint32Array.from(starts);
}
