import type { Page } from '@playwright/test';
import { call, expect, picture, test } from './support';

const graph = `name: counted
channels: { findings: { reducer: append } }
nodes:
  - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.topics, 'task') }}" }, targets: [work] }
  - { id: work, type: expression, config: { update: { findings: "about {{ input.task }}" } }, next: total }
  - { id: total, type: expression, config: { update: { count: "{{ size(state.findings) }}" } } }
`;
const dispatches = 10_000;

interface Tasks {
  items: { node: string; status: string }[];
  next_cursor?: string;
}

/** How many tasks each node has, by the list of the API. */
async function listed(page: Page, run: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let cursor = '';
  do {
    const tasks = await call<Tasks>(page, 'GET', `/v1/runs/${run}/tasks?without=input,change&limit=2000${cursor}`);
    for (const { node } of tasks.items) counts.set(node, (counts.get(node) ?? 0) + 1);
    cursor = tasks.next_cursor ? `&cursor=${encodeURIComponent(tasks.next_cursor)}` : '';
  } while (cursor);
  return counts;
}

test('every number of a run of 10,002 tasks is the API’s, and none is shown before it is known', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', graph);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=50s', { graph: 'counted', input: { topics: Array.from({ length: dispatches }, (_, i) => i) } });
  await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${run.id}`)).status, { timeout: 90_000 }).toBe('succeeded');
  const api = await listed(page, run.id);
  expect([...api.values()].reduce((sum, it) => sum + it, 0)).toBe(dispatches + 2);
  const number = (node: string) => api.get(node)!.toLocaleString('en');

  // The page as it is while nothing has been read.
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route(/\/v1\/runs\/[^/]+\/(nodes|tasks)/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/runs/${run.id}`);
  const table = page.getByRole('table', { name: 'Nodes' });
  const row = (name: string | RegExp) => table.getByRole('row', { name });
  await expect(row('work')).toContainText('…');
  await expect(table).not.toContainText(/has not run|done/);
  await expect(page.getByText('There is none.')).toHaveCount(0);
  await picture(page, 'counts-loading');
  release();

  await expect(row('work')).toContainText(`done ${number('work')} of ${number('work')}`);
  await expect(row('plan')).toContainText('done');
  await expect(row('total')).toContainText('done');
  await expect(table).not.toContainText('has not run');
  for (const node of api.keys()) await expect(table.getByRole('row').filter({ has: page.getByRole('button', { name: `Show the tasks of ${node}`, exact: true }) }).getByRole('cell').nth(2)).toHaveText(number(node));
  await expect(row(/^All/)).toContainText((dispatches + 2).toLocaleString('en'));
  await expect(page.getByRole('group', { name: 'Graph counted' }).getByRole('button', { name: 'work' })).toContainText(`done ${dispatches}/${dispatches}`);
  await expect(page.getByText('These are the newest 10,000 of 10,002 tasks.')).toBeVisible();
  await picture(page, 'counts');
  await page.getByRole('tab', { name: 'Tasks' }).click();
  await expect(page.getByText('10,002 tasks, of which 10,000 are listed')).toBeVisible();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByText('The newest 10,000 of 10,002 tasks, within')).toBeVisible();
});
