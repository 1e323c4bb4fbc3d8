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
});
