/** All keys and enumerated words of a JSON Schema: what an editor completes. */
export function schemaWords(schema: unknown): string[] {
  const words = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (part: unknown) => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    for (const [key, value] of Object.entries(part)) {
      if (key === 'properties' && typeof value === 'object' && value !== null) Object.keys(value).forEach((name) => words.add(name));
      if (key === 'enum' && Array.isArray(value)) value.filter((it) => typeof it === 'string').forEach((it) => words.add(it));
      if (key === 'const' && typeof value === 'string') words.add(value);
      visit(value);
    }
  };
  visit(schema);
  return [...words].sort();
}
