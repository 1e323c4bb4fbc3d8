/** What two lists have brought, in the order of one. */
export function newestFirst<T extends { created_at: string }>(items: T[]): T[] {
  return items.toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}
