import { accessible, call, expect, picture, test } from './support';

const graph = `name: stepped
channels: { log: { reducer: append, default: [] } }
nodes:
  - { id: paid, type: wait, config: { event: { name: e2e.stepped }, result: {} } }
  - { id: pack, type: expression, config: { update: { log: packed } } }
  - { id: send, type: expression, config: { update: { log: sent } } }
edges: [{ from: __start__, to: paid }, { from: paid, to: pack }, { from: pack, to: send }]
`;

test('a run is paused, goes on step by step, and then to its end', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', graph);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs', { graph: 'stepped', input: {} });
  await page.goto(`/runs/${run.id}`);

  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Paused. Next: paid.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toHaveCount(0);
  await accessible(page);
  await picture(page, 'paused');

  await page.request.post('/v1/events', {
    headers: { 'Content-Type': 'application/cloudevents+json' },
    data: JSON.stringify({ specversion: '1.0', id: run.id, source: '/e2e', type: 'e2e.stepped' }),
  });
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(page.getByText('Paused. Next: pack.')).toBeVisible();
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(page.getByText('Paused. Next: send.')).toBeVisible();
  await picture(page, 'stepped');

  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await expect(page.getByText('Paused.')).toHaveCount(0);
  await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${run.id}`)).status).toBe('succeeded');
});
