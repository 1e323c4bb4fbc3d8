import type { RunSearch, RunStatusName } from '../../lib/queries';

export const statuses: RunStatusName[] = ['queued', 'running', 'waiting', 'interrupted', 'failed', 'cancelling', 'succeeded', 'cancelled'];

/** What the address asks for, as the API takes it; what cannot be understood is left out. */
export function search(params: URLSearchParams): RunSearch {
  const text = (name: string) => params.get(name) || undefined;
  const time = (name: string) => instant(params.get(name) ?? '');
  const metadata = text('metadata');
  return {
    graph: text('graph'),
    thread_id: text('thread_id'),
    error_code: text('error_code'),
    metadata: metadata ? [metadata] : undefined,
    status: params.getAll('status').filter((it): it is RunStatusName => statuses.includes(it as RunStatusName)),
    created_after: time('created_after'),
    created_before: time('created_before'),
  };
}

/** A time as the API takes it, of what a field of a form or an address says; undefined: it is none. */
export function instant(text: string): string | undefined {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** A time as a field `datetime-local` shows it: of the browser's own place, to the minute. */
export function local(text: string | null): string {
  const time = new Date(text ?? '');
  if (!text || Number.isNaN(time.getTime())) return '';
  const two = (number: number) => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
