import type { Schema } from './schema';

/** Random numbers that are the same for the same seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

const names = ['to', 'amount', 'note', 'tags', 'name', 'value', 'type', 'due date', 'a/b~c', '', '__proto__', 'constructor', 'toString', 'élan', 'length', '<b>'];
const words = ['', 'x', 'Ada', '  ', 'two\nlines', '"quoted"', '{"a": 1}', 'null', '7', '<img src=x>', '😀', 'é'.repeat(90), 'a\tb', '\\', 'c\r\nd'];
const numbers = [0, 1, -1, 7, 42, 0.5, -3.25, 1e-7, 1e21, 123_456_789, 9_007_199_254_740_991, -0.1];

/** A schema as tools and questions have them, with fields of every kind. */
export function randomSchema(random: Random, depth = 0): Schema {
  const kind = depth === 0 ? 'object' : random.one(['string', 'string', 'integer', 'number', 'boolean', 'enum', 'const', 'any', 'union', 'null', ...(depth < 6 && random.chance(0.6) ? ['object', 'object', 'array', 'array'] : [])]);
  const more: Schema = random.chance(0.2) ? { description: random.one(words) } : {};
  if (random.chance(0.15)) more.title = random.one(['To whom', 'name', '']);
  switch (kind) {
    case 'object': {
      const own = names.filter(() => random.chance(depth === 0 ? 0.13 : 0.08));
      const properties = Object.fromEntries(own.map((name) => [name, randomSchema(random, depth + 1)]));
      return { ...more, type: 'object', properties, required: own.filter(() => random.chance(0.5)), ...(random.chance(0.5) && { additionalProperties: false }) };
    }
    case 'array':
      return { ...more, type: 'array', ...(random.chance(0.85) && { items: randomSchema(random, depth + 1) }) };
    case 'string':
      return { ...more, type: 'string', ...(random.chance(0.2) && { minLength: 1 }), ...(random.chance(0.3) && { maxLength: 80 }) };
    case 'enum':
      return { ...more, enum: [...new Set([random.one(words), random.one(numbers), null, true, 'Ada'])] };
    case 'const':
      return { ...more, const: random.one<unknown>(['fixed', 3, null, true]) };
    case 'union':
      return { ...more, type: ['string', 'null'] };
    case 'any':
      return more;
    default:
      return { ...more, type: kind };
  }
}

/** A value that satisfies a random schema. */
export function randomValue(random: Random, schema: Schema, depth = 0): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.one(schema.enum);
  switch (schema.type) {
    case 'object': {
      const required = schema.required as string[];
      const there = Object.entries(schema.properties as Record<string, Schema>).filter(([name]) => required.includes(name) || random.chance(0.5));
      const value = there.map(([name, field]) => [name, randomValue(random, field, depth + 1)] as const);
      const open = schema.additionalProperties !== false && random.chance(0.1);
      return Object.fromEntries([...value, ...(open ? [['of its own', random.one(words)] as const] : [])]);
    }
    case 'array':
      return Array.from({ length: random.below(3) }, () => randomValue(random, (schema.items as Schema | undefined) ?? {}, depth + 1));
    case 'string':
      return random.one(words.filter((it) => it.length >= Number(schema.minLength ?? 0) && [...it].length <= Number(schema.maxLength ?? 1_000)));
    case 'integer':
      return random.one(numbers.filter((it) => Number.isSafeInteger(it)));
    case 'number':
      return random.one(numbers);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return Array.isArray(schema.type) ? random.one<unknown>([null, 'Ada', '']) : random.one<unknown>([null, 1, 'text', [1, { a: [] }], {}]);
  }
}
