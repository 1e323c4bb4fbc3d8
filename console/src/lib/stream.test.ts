import { describe, expect, it } from 'vitest';
import { EventParser } from './stream';

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
