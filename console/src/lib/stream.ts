import { ApiError, type Schemas } from '../api/client';
import { apiKey } from './key';

export type RunEvent = Schemas['RunEvent'];

/** One event of a stream of server-sent events. */
export interface SentEvent {
  id?: string;
  data: string;
}

/** Cuts a stream of server-sent events into events; pieces may end anywhere. */
export class EventParser {
  private rest = '';
  private id?: string;
  private data: string[] = [];

  push(text: string): SentEvent[] {
    const events: SentEvent[] = [];
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line === '') {
        if (this.data.length) events.push({ id: this.id, data: this.data.join('\n') });
        this.id = undefined;
        this.data = [];
      } else if (line.startsWith('id:')) this.id = line.slice(3).trim();
      else if (line.startsWith('data:')) this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    }
    return events;
  }
}

const againMs = 1_000;

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/**
 * Follows the events of a run until it is at rest; goes on behind the last one if the connection
 * breaks, the service cuts the stream, or the run was resumed before anybody saw it at rest.
 *
 * @param atRest asks how the run fares after its stream has ended
 */
export function followRun(run: string, onEvents: (events: RunEvent[]) => void, onConnection: (state: Connection) => void, atRest: () => Promise<boolean>): () => void {
  const aborter = new AbortController();
  let last: string | undefined;
  let pause = 500;
  let wasCut = false;

  async function connect() {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    const key = apiKey.get();
    if (key) headers.Authorization = `Bearer ${key}`;
    if (last) headers['Last-Event-ID'] = last;
    const response = await fetch(`/v1/runs/${encodeURIComponent(run)}/stream`, { headers, signal: aborter.signal });
    if (!response.ok || !response.body) throw new ApiError(response.status, {});
    onConnection('open');
    pause = 500;
    const parser = new EventParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const sent = parser.push(decoder.decode(value, { stream: true }));
      for (const event of sent) if (event.id) last = event.id;
      const events = sent.map((event) => JSON.parse(event.data) as RunEvent);
      wasCut ||= events.some((event) => event.type === 'stream.cut' && event.data.reason !== 'deleted');
      if (events.length) onEvents(events);
    }
  }

  async function follow() {
    while (!aborter.signal.aborted) {
      try {
        onConnection('connecting');
        wasCut = false;
        await connect();
        if (!wasCut && (await atRest())) {
          if (!aborter.signal.aborted) onConnection('ended');
          return;
        }
        if (wasCut) onConnection('lost');
        await pauseFor(wasCut ? pause : againMs);
      } catch (error) {
        if (aborter.signal.aborted) return;
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) return onConnection('ended');
        onConnection('lost');
        await pauseFor(pause);
        pause = Math.min(pause * 2, 10_000);
      }
    }
  }
  void follow();
  return () => aborter.abort();
}
