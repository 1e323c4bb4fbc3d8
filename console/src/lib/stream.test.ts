import { afterEach, describe, expect, it, vi } from 'vitest';
import { EventParser, followRun } from './stream';

describe('EventParser', () => {
  it('reads events whatever the pieces they come in', () => {
    const text = ': hello\n\nid: 3\nevent: x\ndata: {"a":\ndata: 1}\n\ndata: live\r\n\r\n';
    for (let size = 1; size <= text.length; size++) {
      const parser = new EventParser();
      const events = [];
      for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
      expect(events).toEqual([{ id: '3', data: '{"a":\n1}' }, { id: undefined, data: 'live' }]);
    }
  });

  it('keeps an event that has not ended', () => {
    expect(new EventParser().push('data: x\n')).toEqual([]);
  });
});

describe('followRun', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('comes again behind the last event if the service cuts the stream, and ends when the run does', async () => {
    const frames = [
      'id: 3\ndata: {"type":"superstep.committed"}\n\ndata: {"type":"stream.cut","data":{"reason":"stopping"}}\n\n',
      'id: 4\ndata: {"type":"run.succeeded"}\n\n',
    ];
    const sent: (string | undefined)[] = [];
    vi.stubGlobal('fetch', (_: string, { headers }: { headers: Record<string, string> }) => {
      sent.push(headers['Last-Event-ID']);
      return Promise.resolve(new Response(frames.shift()));
    });
    const types: string[] = [];
    await new Promise<void>((resolve) => {
      followRun('r', (events) => types.push(...events.map((event) => event.type)), (state) => state === 'ended' && resolve(), () => Promise.resolve(true));
    });
    expect(sent).toEqual([undefined, '3']);
    expect(types).toEqual(['superstep.committed', 'stream.cut', 'run.succeeded']);
  });

  it('goes on if the run was resumed before it was seen at rest', async () => {
    vi.useFakeTimers();
    const frames = ['id: 3\ndata: {"type":"run.interrupted"}\n\n', 'id: 5\ndata: {"type":"run.succeeded"}\n\n'];
    const sent: (string | undefined)[] = [];
    vi.stubGlobal('fetch', (_: string, { headers }: { headers: Record<string, string> }) => {
      sent.push(headers['Last-Event-ID']);
      return Promise.resolve(new Response(frames.shift()));
    });
    const states: string[] = [];
    const rests = [false, true];
    followRun('r', () => {}, (state) => states.push(state), () => Promise.resolve(rests.shift()!));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toEqual([undefined, '3']);
    expect(states).toEqual(['connecting', 'open', 'connecting', 'open', 'ended']);
  });
});
