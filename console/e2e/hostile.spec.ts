import { call, expect, harmless, hostile, picture, test } from './support';

const graph = `name: hostile-texts
description: ${JSON.stringify(hostile[1])}
channels: { text: {}, answer: {} }
nodes:
  - id: ask
    type: human
    config: { payload: "{{ state.text }}", answer_to: answer }
`;

test('texts of models and strangers stay texts', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', graph);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', {
    graph: 'hostile-texts',
    input: { text: hostile.join('\n') },
    metadata: { note: hostile[1] },
  });
  for (const path of ['/', '/runs', `/runs/${run.id}`, '/inbox', '/graphs', '/graphs/hostile-texts', '/threads']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await page.waitForTimeout(100);
    await harmless(page);
  }
  await picture(page, 'hostile');
});
