/** A time of the API in words of the browser's own place. */
export function when(time: string | undefined): string {
  return time ? new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }) : '';
}

/** How long something took: `320 ms`, `4.2 s`, `3 min`. */
export function took(from: string | undefined, to: string | undefined): string {
  return from && to ? duration(Date.parse(to) - Date.parse(from)) : '';
}

/** Milliseconds in words: `320 ms`, `4.2 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000).toLocaleString('en')} min`;
}
