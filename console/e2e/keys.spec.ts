import { expect, picture, test } from './support';

const keyed = process.env.SUPERSTEP_KEYED_URL;
const key = process.env.SUPERSTEP_KEY ?? '';

test.describe('with keys', () => {
  test.skip(!keyed, 'SUPERSTEP_KEYED_URL names no service with keys');
  test.use({ baseURL: keyed, expectedErrors: [/401/] });

  test('the page needs no key, and keeps one in its tab only', async ({ page }) => {
    expect((await page.request.get('/v1/runs')).status()).toBe(401);
    await page.goto('/');
    // Not a click: a page that was refused data has opened the dialog over it already.
    await page.getByRole('button', { name: 'Enter an API key', includeHidden: true }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'This server needs an API key' });
    await expect(dialog).toBeVisible();
    await picture(page, 'key');
    await dialog.getByRole('textbox', { name: 'API key' }).fill(key);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await expect(dialog).toBeHidden();
    await page.goto('/runs');
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(dialog).toBeHidden();
    expect(await page.evaluate(() => Object.values(sessionStorage))).toContain(key);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
    expect(await page.context().cookies()).toEqual([]);
  });

  test('with a key that only reads there is nothing to write', async ({ page }) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const made = await page.request.post('/v1/keys', { headers, data: { name: `reader-${Math.random().toString(36).slice(2, 10)}`, scopes: ['read'] } });
    expect(made.status(), await made.text()).toBe(201);
    const { secret } = (await made.json()) as { secret: string };
    const yaml = 'name: looked-at\nnodes:\n  - { id: ask, type: human, config: { payload: "ok?" } }\n';
    await page.request.post('/v1/graphs', { headers: { ...headers, 'Content-Type': 'application/yaml' }, data: yaml });
    const asked = (await (await page.request.post('/v1/runs?wait=10s', { headers, data: { graph: 'looked-at', input: {} } })).json()) as { id: string };
    await page.goto('/');
    await page.getByRole('dialog').getByRole('textbox', { name: 'API key' }).fill(secret);
    await page.getByRole('button', { name: 'Use this key' }).click();
    const note = page.getByRole('note');
    await expect(note).toHaveText('read only');
    await expect(note).toHaveAccessibleName(/scope author/);
    await expect(page.getByRole('button', { name: /example/ })).toHaveCount(0);
    await picture(page, 'read-only');
    await page.goto('/graphs');
    await expect(page.getByRole('link', { name: 'looked-at' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'New graph' })).toHaveCount(0);
    await page.goto('/graphs/looked-at');
    await expect(page.getByRole('group', { name: 'Graph looked-at' })).toContainText('ask');
    await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0);
    await page.getByRole('tab', { name: 'Try it' }).click();
    await expect(page.getByText('You may not start runs')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Run it' })).toHaveCount(0);
    await page.goto('/runs');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await page.goto(`/runs/${asked.id}/checkpoints/0`);
    await expect(page.getByText('You may not answer')).toBeVisible();
    await expect(page.getByRole('button', { name: /Cancel|Fork/ })).toHaveCount(0);
    await page.goto('/inbox');
    await expect(page.getByText('You may not answer').first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Answer|Approve|Reject)$/ })).toHaveCount(0);
    await page.goto('/catalog/context');
    await expect(page.getByText('You may not try things out')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Preview' })).toHaveCount(0);
  });
});
