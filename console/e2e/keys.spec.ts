import { expect, picture, test } from './support';

const keyed = process.env.SUPERSTEP_KEYED_URL;
const key = process.env.SUPERSTEP_KEY ?? '';

test.describe('with keys', () => {
  test.skip(!keyed, 'SUPERSTEP_KEYED_URL names no service with keys');
  test.use({ baseURL: keyed, expectedErrors: [/401/] });

  test('the page needs no key, and asks for one before it shows data', async ({ page }) => {
    expect((await page.request.get('/v1/runs')).status()).toBe(401);
    await page.goto('/runs');
    const dialog = page.getByRole('dialog', { name: 'This server needs an API key' });
    await expect(dialog).toBeVisible();
    await picture(page, 'key');
    await dialog.getByLabel('API key', { exact: true }).fill(key);
    const answered = page.waitForResponse((it) => it.url().includes('/v1/') && it.status() === 200);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await answered;
    await expect(dialog).toBeHidden();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(dialog).toBeHidden();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
    expect(await page.context().cookies()).toEqual([]);
  });
});
