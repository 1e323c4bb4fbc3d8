import { expect, it } from 'vitest';
import { asked, inOneLine, whose } from './question';

it('shows in one line what is asked', () => {
  expect(inOneLine({ payload: 'Publish\nthis?', reason: 'human_input' })).toBe('Publish this?');
  expect(inOneLine({ payload: { draft: 'x' }, reason: 'human_input' })).toBe('{"draft":"x"}');
  expect(inOneLine({ payload: { draft: 'x', question: 'Publish this?' }, reason: 'human_input' })).toBe('Publish this?');
});

it('cuts what is long, and names the reason where nothing is asked', () => {
  expect(inOneLine({ payload: 'a'.repeat(500), reason: 'r' })).toHaveLength(160);
  expect(inOneLine({ payload: null, reason: 'human_input' })).toBe('human_input');
});

it('takes title and text from a payload, and what else is there as facts', () => {
  expect(asked({ payload: { title: 'Pay?', text: 'Ada has asked.', amount: 5 }, reason: 'r' })).toEqual({ title: 'Pay?', text: 'Ada has asked.', facts: [['amount', 5]] });
  expect(asked({ payload: { question: 'Send this?', text: 'Dear Ada' }, reason: 'r' })).toEqual({ title: 'Send this?', text: 'Dear Ada', facts: [] });
  expect(asked({ payload: 'long '.repeat(50), reason: 'r' })).toEqual({ text: 'long '.repeat(50), facts: [] });
  expect(asked({ payload: { title: 7 }, reason: 'r' }), 'what is no text is a fact').toEqual({ facts: [['title', 7]] });
});

it('finds the call of a tool with the decisions that may be taken', () => {
  const schema = { properties: { decision: { enum: ['approve', 'edit', 'reject', 'reply'] }, arguments: { type: 'object' } } };
  const payload = { title: 'Pay 5?', text: 'Ada has asked.', question: 'Ada has asked.', tool_call: { id: 'c', name: 'pay', arguments: { amount: 5 } }, description: 'Pays.' };
  const found = asked({ payload, reason: 'tool_approval', schema });
  expect(found).toMatchObject({ title: 'Pay 5?', text: 'Ada has asked.', facts: [], call: { tool: 'pay', description: 'Pays.', arguments: { amount: 5 }, decisions: ['approve', 'edit', 'reject', 'reply'] } });
  expect(asked({ payload, reason: 'tool_approval' }).call, 'nobody knows what may be answered').toBeUndefined();
});

it('says whose a question is, and nothing of those of anybody', () => {
  expect(whose({})).toBeUndefined();
  expect(whose({ assignee: 'ann@example.com', candidates: ['group:finance'] })).toBe('Assigned to ann@example.com');
  expect(whose({ candidates: ['group:finance', 'bob'], not: ['starter', 'carl'] })).toBe('For group:finance, bob · not for who started the run, carl');
});
