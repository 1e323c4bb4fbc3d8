import type { Page } from '@playwright/test';
import { accessible, call, expect, picture, test } from './support';

/** Of this story alone: stories share a service. */
function own(name: string): string {
  return `${name}-${Math.random().toString(36).slice(2, 10)}`;
}

// Where the tool is does not matter: what these stories are about is what comes before the call.
const graph = (name: string) => `name: ${name}
channels: { messages: { reducer: messages } }
tools:
  pay:
    description: Pays somebody.
    method: POST
    url: http://127.0.0.1:9/pay
    parameters:
      type: object
      required: [to, amount]
      additionalProperties: false
      properties: { to: { type: string, maxLength: 40 }, amount: { type: integer }, note: { type: string }, urgent: { type: boolean } }
nodes:
  - id: pay
    type: tool
    config:
      approval: always
      title: "Pay {{ input.arguments.amount }} to {{ input.arguments.to }}?"
      text: "${name} has asked for it."
      expires_after: 2d
      on_expiry: answer
      default_answer: { decision: reject, reason: nobody has answered }
`;

interface Asked {
  id: string;
  interrupts: { id: string }[];
}

async function ask(page: Page, name: string): Promise<Asked> {
  await call(page, 'POST', '/v1/graphs', graph(name));
  const calls = [{ id: 'c', name: 'pay', arguments: { to: 'Ada', amount: 5 } }];
  const { id } = await call<Asked>(page, 'POST', '/v1/runs', { graph: name, input: { messages: [{ role: 'assistant', content: '', tool_calls: calls }] } });
  let run: Asked | undefined;
  await expect.poll(async () => (run = await call<Asked>(page, 'GET', `/v1/runs/${id}`)).interrupts.length).toBe(1);
  return run!;
}

const answered = (page: Page, run: Asked) => expect.poll(async () => (await call<{ answer?: unknown }>(page, 'GET', `/v1/interrupts/${run.interrupts[0]!.id}`)).answer);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a call of a tool is approved in two taps, from the home page on', async ({ page }) => {
    const name = own('approved');
    const run = await ask(page, name);
    await page.goto('/');
    const entry = page.getByRole('region', { name: 'Questions' }).getByRole('link', { name: 'Pay 5 to Ada?' }).and(page.locator(`[href*="${run.id}"]`));
    await entry.tap();
    const question = page.getByRole('article', { name: 'Pay 5 to Ada?' });
    await expect(question).toContainText(`${name} has asked for it.`);
    await expect(question).toContainText('It will call pay');
    await expect(question.getByRole('group', { name: 'Arguments' })).toContainText('amount5toAda');
    await expect(question).toContainText('the answer is then: reject');
    await expect(question, 'no code, no JSON').not.toContainText(/tool_approval|[{}]/);
    await expect(question.getByRole('button', { name: 'Approve' })).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen').toBe(true);
    await accessible(page);
    await picture(page, 'approve-phone');
    await question.getByRole('button', { name: 'Approve' }).tap();
    await answered(page, run).toEqual({ decision: 'approve' });
    await expect(question).toHaveCount(0);
  });

  test('an argument is changed, and what is optional stays out', async ({ page }) => {
    const run = await ask(page, own('changed'));
    await page.goto(`/runs/${run.id}`);
    const question = page.getByRole('article');
    await question.getByRole('button', { name: 'Change' }).tap();
    await expect(question.getByLabel('to')).toHaveValue('Ada');
    await expect(question.getByLabel('amount')).toHaveValue('5');
    await question.getByLabel('amount').fill('seven');
    await question.getByRole('button', { name: 'Approve with these' }).tap();
    await expect(question, 'nothing wrong is sent').toContainText('This is not a number');
    await accessible(page);
    await picture(page, 'change-phone');
    await question.getByLabel('amount').fill('7');
    await question.getByRole('button', { name: 'Approve with these' }).tap();
    await answered(page, run).toEqual({ decision: 'edit', arguments: { to: 'Ada', amount: 7 } });
  });

  test('a call is rejected with two taps, with a reason or without', async ({ page }) => {
    const run = await ask(page, own('rejected'));
    await page.goto(`/runs/${run.id}`);
    const question = page.getByRole('article');
    await question.getByRole('button', { name: 'Reject' }).tap();
    await picture(page, 'reject-phone');
    await question.getByRole('button', { name: 'Reject' }).tap();
    await answered(page, run).toEqual({ decision: 'reject' });
  });
});

test('somebody answers in the place of a tool', async ({ page }) => {
  const run = await ask(page, own('replied'));
  await page.goto(`/runs/${run.id}`);
  const question = page.getByRole('article');
  await picture(page, 'approve-desk');
  await question.getByRole('button', { name: 'Answer instead' }).click();
  await question.getByRole('button', { name: 'Send' }).click();
  await expect(question).toContainText('Still needed: Answer');
  await question.getByLabel('Answer').fill('It was paid by hand.');
  await question.getByRole('button', { name: 'Send' }).click();
  await answered(page, run).toEqual({ decision: 'reply', message: 'It was paid by hand.' });
});

test('a question without a schema is answered in words', async ({ page }) => {
  const name = own('words');
  await call(page, 'POST', '/v1/graphs', `name: ${name}\nnodes:\n  - { id: ask, type: human, config: { payload: { title: "Which one?", text: "There are two.", choices: { first: a, second: b } } } }\n`);
  const run = await call<Asked>(page, 'POST', '/v1/runs?wait=10s', { graph: name, input: {} });
  await page.goto(`/runs/${run.id}`);
  const question = page.getByRole('article', { name: 'Which one?' });
  await expect(question).toContainText('There are two.');
  await expect(question).toContainText('firsta');
  await expect(question).not.toContainText('human_input');
  await question.getByLabel('Answer').fill('the first');
  await question.getByRole('button', { name: 'Answer' }).click();
  await answered(page, run).toEqual('the first');
});
