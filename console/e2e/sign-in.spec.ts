import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accessible, expect, picture, test } from './support';
import type { Page } from '@playwright/test';

const first = process.env.SUPERSTEP_SIGN_IN_URL;
const second = process.env.SUPERSTEP_SIGN_IN_SECOND_URL ?? '';
const issuer = process.env.SUPERSTEP_SIGN_IN_ISSUER ?? '';
const password = process.env.SUPERSTEP_SIGN_IN_PASSWORD ?? '';
const key = process.env.SUPERSTEP_SIGN_IN_KEY ?? '';
const waiting = 'nodes:\n  - { id: rest, type: wait, config: { for: 1h } }\n';

test.describe('with a provider', () => {
  test.skip(!first, 'SUPERSTEP_SIGN_IN_URL names no service with which one signs in');
  // The provider has no icon; what is refused is what these stories are about.
  test.use({ baseURL: first, expectedErrors: [/40[134]/] });

  async function signIn(page: Page, name: string) {
    await page.goto('/runs?graph=none');
    await page.getByRole('dialog', { name: 'Sign in' }).getByRole('link', { name: 'Sign in with <i>Spring</i>' }).click();
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function signedIn(page: Page, name: string) {
    await signIn(page, name);
    await expect(page).toHaveURL(`${first}/runs?graph=none`);
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }

  /** The status of a call that the page itself makes. */
  function status(page: Page, method: string, path: string, body?: string) {
    return page.evaluate(
      async ([method, path, body]) =>
        (await fetch(path!, { method: method!, body, headers: body ? { 'Content-Type': 'application/yaml' } : {} })).status,
      [method, path, body] as const,
    );
  }

  test('the page offers the provider and the key', async ({ page }) => {
    await page.goto('/');
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await expect(dialog.getByRole('link', { name: 'Sign in with' })).toBeVisible();
    await accessible(page);
    await picture(page, 'sign-in');
    await dialog.getByRole('textbox', { name: 'API key' }).fill(key);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0);
    await expect(page.getByRole('note')).toHaveCount(0);
    expect(await page.context().cookies(first)).toEqual([]);
  });

  test('a viewer sees what a viewer may, on every replica, and no script sees why', async ({ page }) => {
    await signedIn(page, 'vera');
    await expect(page.getByRole('note')).toHaveText('read only');
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await page.goto('/graphs');
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'New graph' })).toHaveCount(0);
    await page.goto('/graphs/new');
    await expect(page.getByText('You may not write graphs')).toBeVisible();
    await page.goto('/catalog/expressions');
    await expect(page.getByText('You may not try things out')).toBeVisible();
    await picture(page, 'signed-in');
    expect(await status(page, 'POST', '/v1/graphs', `name: by-a-viewer\n${waiting}`)).toBe(403);

    const [cookie, ...others] = await page.context().cookies(first);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: 'superstep-session', httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 });
    const kept = await page.evaluate(() => document.cookie + JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toContain(cookie!.value);
    expect(kept).not.toContain('eyJ');

    await page.goto(`${second}/runs`);
    await expect(page.getByRole('note')).toHaveText('read only');
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('an author writes, a runner runs, and neither erases', async ({ page }) => {
    await signedIn(page, 'ada');
    await expect(page.getByRole('note')).toHaveAccessibleName(/scope answer.*scope operate.*scope admin/);
    await page.goto('/graphs');
    await expect(page.getByRole('link', { name: 'New graph' })).toBeVisible();
    expect(await status(page, 'POST', '/v1/graphs', `name: by-an-author\n${waiting}`)).toBeLessThan(202);
    await page.goto('/graphs/by-an-author');
    await expect(page.getByRole('link', { name: 'Edit' })).toBeVisible();
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Run it' }).click();
    await expect(page).toHaveURL(/\/runs\//);
    await expect(page.getByRole('button', { name: /Cancel/ })).toBeVisible();
    expect(await status(page, 'DELETE', '/v1/graphs/by-an-author')).toBe(403);
  });

  test('who signs out has done so everywhere, also at the provider', async ({ page, context }) => {
    await signedIn(page, 'vera');
    const other = await context.newPage();
    await other.goto(`${second}/runs`);
    await expect(other.getByRole('note')).toHaveText('read only');
    const cookies = await context.cookies(first);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(`${first}/`);
    await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0);
    expect(await context.cookies(first)).toEqual([]);
    // Not even who has kept the cookie comes in.
    await context.addCookies(cookies);
    for (const url of [first, second]) {
      await expect.poll(async () => (await page.request.get(`${url}/v1/runs`)).status(), { timeout: 2_000 }).toBe(401);
    }
    await other.reload();
    await expect(other.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
    await page.goto(`${first}/`);
    await page.getByRole('link', { name: 'Sign in with' }).click();
    await expect(page.getByLabel('Password')).toBeVisible();
    expect(page.url()).toContain(issuer);
  });

  test('who has no role, or refuses, is told so', async ({ page }) => {
    await signIn(page, 'noah');
    await expect(page.getByRole('alert').filter({ hasText: 'Your account has no role on this server' })).toBeVisible();
    await expect(page).toHaveURL(`${first}/?sign_in=no_role`);
    await expect(page.getByRole('link', { name: 'Sign in with' })).toBeInViewport();
    await picture(page, 'no-role');
    for (const code of ['<img src=x onerror=alert(1)>', 'toString', '__proto__', 'denied']) {
      await page.goto(`/?sign_in=${encodeURIComponent(code)}`);
      await expect(page.getByRole('alert').filter({ hasText: 'You are not signed in' })).toHaveCount(1);
    }
    await expect(page.getByText('The provider refused, or you did.')).toHaveCount(1);
  });

  test.describe('while another page is open', () => {
    let server: Server;
    test.beforeAll(async () => {
      server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<h1>of somebody else</h1>'));
      await new Promise<void>((resolve) => server.listen(0, () => resolve()));
    });
    test.afterAll(() => server.close());

    // Another port of this host is the same site to a browser: its cookies are sent there.
    for (const host of ['localhost', '127.0.0.1']) {
      test(`at ${host}, that cancels, starts and signs out nothing`, async ({ page, context }) => {
        await signedIn(page, 'ada');
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        const graph = { name: 'forged', nodes: [{ id: 'rest', type: 'wait', config: { for: '1h' } }] };
        expect((await page.request.post('/v1/graphs', { headers, data: graph })).ok()).toBe(true);
        const run = (await (await page.request.post('/v1/runs', { headers, data: { graph: 'forged', input: {} } })).json()) as { id: string };

        const evil = await context.newPage();
        const statuses: number[] = [];
        evil.on('response', (it) => it.url().startsWith(first!) && it.request().method() === 'POST' && statuses.push(it.status()));
        await evil.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
        for (const path of [`/v1/runs/${run.id}/cancel`, '/sign-out']) {
          await evil.evaluate((url) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include' }), first + path);
          await evil.evaluate((url) => {
            const form = Object.assign(document.createElement('form'), { method: 'post', action: url });
            document.body.append(form);
            form.submit();
          }, first + path);
          await evil.waitForURL(first + path);
          await evil.goBack();
        }
        expect(statuses).toHaveLength(4);
        for (const it of statuses) expect([401, 403]).toContain(it);

        await page.reload();
        await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
        const now = (await (await page.request.get(`/v1/runs/${run.id}`, { headers })).json()) as { status: string };
        expect(['waiting', 'running', 'queued']).toContain(now.status);
        expect(await status(page, 'POST', `/v1/runs/${run.id}/cancel`)).toBeLessThan(300);
      });
    }
  });
});
