import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../api/client';
import { said, takesMessages } from './Talk';

describe('Talk', () => {
  it('is shown where a channel takes messages', () => {
    expect(takesMessages(undefined)).toBe(false);
    expect(takesMessages({ channels: { messages: {} } })).toBe(false);
    expect(takesMessages({ channels: { messages: { reducer: 'messages' } } })).toBe(true);
    expect(takesMessages({ channels: { said: { reducer: 'messages' } }, inbox: { channel: 'said' } })).toBe(true);
  });

  it('shows what a message says', () => {
    const message = (value: unknown) => ({ value }) as Schemas['RunMessage'];
    expect(said(message([{ role: 'user', content: 'hi' }]))).toBe('hi');
    expect(said(message(3))).toBe('3');
  });
});
