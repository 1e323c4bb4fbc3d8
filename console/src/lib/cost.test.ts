import { expect, test } from 'vitest';
import { cost } from './cost';

test('shows no cost where none is known', () => {
  expect(cost(undefined)).toBeUndefined();
  expect(cost({})).toBeUndefined();
});

test('shows an amount as it is written, with its unit and what it lacks', () => {
  expect(cost({ cost: '0.3' })).toEqual({ text: '0.3', whole: '0.3', lacks: 0 });
  expect(cost({ cost: '1234567', unpriced_calls: 2 }, 'USD')).toEqual({ text: '1,234,567 USD', whole: '1234567 USD', lacks: 2 });
});

test('cuts long amounts, and shows no 0 for what is not nothing', () => {
  expect(cost({ cost: '12.123456789' })).toMatchObject({ text: '12.123456…', whole: '12.123456789' });
  expect(cost({ cost: '0.000000123' })).toMatchObject({ text: '0.00000012…' });
  expect(cost({ cost: '0.0000003' })).toMatchObject({ text: '0.0000003' });
  expect(cost({ cost: '0' })).toMatchObject({ text: '0' });
});
