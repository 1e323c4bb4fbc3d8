import { readFileSync } from 'node:fs';
import { accessible, call, expect, picture, test } from './support';

/** Of this story alone: stories share a service. */
function own(name: string): string {
  return `${name}-${Math.random().toString(36).slice(2, 10)}`;
}

const approval = readFileSync('../examples/approval/graph.yaml', 'utf8');

test('home runs an example, and shows its fan-out', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /example/ }).click();
  await expect(page).toHaveURL(/\/runs\//);
  await expect(page.getByRole('group', { name: 'Graph fan-out' })).toContainText('done 4/4', { timeout: 30_000 });
  await expect(page.getByText('succeeded', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Tasks' }).getByText('task_executor')).toHaveCount(4);
  await accessible(page);
  await picture(page, 'fan-out');
});

test('time travel shows what a superstep changed, and forks from there', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', readFileSync('../examples/fan-out/graph.yaml', 'utf8'));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics: ['a', 'b'] } });
  await page.goto(`/runs/${run.id}/checkpoints/3`);
  await expect(page.getByText('Checkpoint 3 of 3')).toBeVisible();
  await expect(page.getByLabel('report after')).toContainText('all about a; all about b');
  await picture(page, 'time-travel');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/checkpoints\/2$/);
  await expect(page.getByLabel('findings after')).toBeVisible();
  await expect(page.getByLabel('Pending activations and dispatches')).toContainText('aggregate');
  await page.reload();
  await expect(page.getByText('Checkpoint 2 of 3')).toBeVisible();
  await page.getByLabel('Channels to overwrite (JSON)').fill('{"findings": ["mine"]}');
  await page.getByRole('button', { name: 'Fork from checkpoint 2' }).click();
  await expect(page).not.toHaveURL(new RegExp(run.id));
  await page.getByRole('tab', { name: 'Input and output' }).click();
  await expect(page.getByLabel('Output', { exact: true })).toContainText('"report": "mine"');
});

test('the timeline and the events of a run are there', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', readFileSync('../examples/fan-out/graph.yaml', 'utf8'));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics: ['a', 'b', 'c'] } });
  await page.goto(`/runs/${run.id}/timeline`);
  await expect(page.getByRole('region', { name: 'Timeline of tasks' }).getByRole('img')).toHaveCount(5);
  await accessible(page);
  await picture(page, 'timeline');
  await page.getByRole('tab', { name: 'Events' }).click();
  await expect(page.getByRole('button', { name: 'run.succeeded' })).toBeVisible();
});

for (const [device, size] of Object.entries({ desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } })) {
  test(`a question is answered in the inbox, on a ${device}`, async ({ page }) => {
    await page.setViewportSize(size);
    const topic = own('owls');
    await call(page, 'POST', '/v1/graphs', approval);
    const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'approval', input: { topic } });
    await page.goto('/inbox');
    const question = page.getByRole('article').filter({ hasText: topic });
    await expect(question).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen').toBe(true);
    await accessible(page);
    await picture(page, `inbox-${device}`);
    await question.getByRole('button', { name: 'Approve' }).click();
    await expect(question).toHaveCount(0);
    await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${run.id}`)).status).toBe('succeeded');
  });
}

test('runs are searched by what the address says, and deleted after a question', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', approval);
  const story = own('deleted');
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'approval', input: { topic: 'x' }, metadata: { story } });
  await page.goto(`/runs?metadata=story%3A${story}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  await accessible(page);
  await picture(page, 'runs');
  await page.getByLabel(`Choose run ${run.id}`).check();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, cancel 1' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'cancelled' })).toHaveCount(1);
  await page.getByLabel(`Choose run ${run.id}`).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Yes, delete 1' }).click();
  await expect(page.getByText('No run is like this.')).toBeVisible();
});

test('a graph is drawn, edited with errors in place, saved, compared and tried', async ({ page }) => {
  const name = own('edited');
  await call(page, 'POST', '/v1/graphs', approval.replace('name: approval', `name: ${name}`));
  await page.goto(`/graphs/${name}`);
  const drawing = page.getByRole('group', { name: `Graph ${name}` });
  await expect(drawing).toContainText('review');
  await expect(drawing).toContainText('state.review.approved');
  await picture(page, 'graph');
  await page.getByRole('link', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Definition' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('nonsense: true\n');
  await expect(page.getByRole('status')).toHaveText('1 problem');
  await expect(page.getByRole('alert')).toContainText('/nonsense');
  await picture(page, 'editor');
  await page.keyboard.press('Backspace');
  for (let i = 0; i < 'nonsense: true'.length; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('metadata: { team: a }\n');
  await expect(page.getByRole('status')).toHaveText('It is valid');
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await expect(page).toHaveURL(new RegExp(`${name}/versions/2$`));
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.getByLabel('Changes from version 1 to 2')).toContainText('team');
  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByLabel('topic').fill('geese');
  await page.getByRole('button', { name: 'Run it' }).click();
  await expect(page.getByRole('article')).toContainText('geese');
});

test('threads are conversations, the catalog lists and evaluates', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', 'name: talk\nchannels: { messages: { reducer: messages } }\nnodes:\n  - { id: say, type: expression, config: { update: { messages: [{ role: assistant, content: "Hello {{ state.name }}" }] } } }\n');
  const thread = own('chat');
  await call(page, 'POST', '/v1/runs?wait=10s', { graph: 'talk', thread_id: thread, input: { name: 'Ada' } });
  await page.goto('/threads');
  await page.getByRole('link', { name: thread }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Hello Ada');
  await accessible(page);
  await picture(page, 'thread');
  await page.goto('/catalog');
  await page.getByRole('button', { name: 'human' }).click();
  await expect(page.getByLabel('Schema of human')).toBeVisible();
  await page.getByRole('tab', { name: 'Expressions' }).click();
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(page.getByLabel('Value', { exact: true })).toContainText('cats!');
  await picture(page, 'expressions');
});
