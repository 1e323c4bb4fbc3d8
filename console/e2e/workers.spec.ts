import { accessible, call, expect, harmless, hostile, picture, test } from './support';

const graph = `name: shipped
channels: { parcels: {} }
nodes:
  - { id: plan, type: expression, config: { dispatch: "{{ fan_out('ship', state.parcels, 'parcel') }}" }, targets: [ship] }
  - { id: ship, type: worker, config: { task_type: e2e.ship, input: "{{ input.parcel }}" } }
`;

interface Claimed {
  items: { id: string; token: string }[];
}

test('what waits for workers, and who works, is on the first page as long as there is any', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', graph);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs', { graph: 'shipped', input: { parcels: [1, 2, 3] } });
  const claim = (worker: string, max: number) =>
    call<Claimed>(page, 'POST', `/v1/tasks/claim?type=e2e.ship&wait=20s&max=${max}&worker=${encodeURIComponent(worker)}`);

  const first = await claim('packer-7', 1);
  await page.goto('/');
  const section = page.getByRole('region', { name: 'Tasks of workers' });
  const row = section.getByRole('row').filter({ hasText: 'e2e.ship' });
  const cells = (...texts: string[]) => Promise.all(texts.map((it, i) => expect(row.getByRole('cell').nth([1, 3, 4][i]!)).toHaveText(it)));
  await cells('2', '1', 'packer-7 (1)');
  await expect(row.getByRole('cell').nth(2)).not.toBeEmpty();
  await accessible(page);
  await picture(page, 'workers');

  const others = await claim(hostile[0]!, 2);
  await cells('0', '3', `${hostile[0]!} (2), packer-7 (1)`);
  await harmless(page);
  for (const { id, token } of [...first.items, ...others.items]) {
    await call(page, 'POST', `/v1/tasks/${id}/outcome`, { token, result: {} });
  }
  await expect(row).toHaveCount(0);
  await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${run.id}`)).status).toBe('succeeded');
});
