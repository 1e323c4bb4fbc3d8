import { accessible, call, expect, picture, test } from './support';

const FIRST_LOAD_MAX = 500_000;

test('home loads, small and under a policy without exceptions', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let transferred = 0;
  session.on('Network.loadingFinished', (it) => (transferred += it.encodedDataLength));
  const answer = await page.goto('/');
  const policy = answer!.headers()['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  await expect(page.getByRole('heading', { level: 1, name: 'Superstep' })).toBeVisible();
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(transferred).toBeGreaterThan(10_000);
  expect(transferred, 'bytes of the first load').toBeLessThanOrEqual(FIRST_LOAD_MAX);
  await picture(page, 'home');
});

test.describe('what strangers bring', () => {
  test.use({ expectedErrors: [/Content Security Policy/] });

  test('the policy stops what would be injected', async ({ page }) => {
    await page.goto('/');
    const stopped = await page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (it) => violations.push(it.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 1';
      document.body.append(script);
      const style = document.createElement('style');
      style.textContent = 'body { color: red }';
      document.body.append(style);
      await fetch('https://elsewhere.invalid/').catch(() => undefined);
      for (let i = 0; new Set(violations).size < 3 && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 20));
      return { violations, hacked: 'hacked' in window };
    });
    expect(stopped.hacked).toBe(false);
    expect(stopped.violations).toEqual(expect.arrayContaining(['script-src-elem', 'style-src-elem', 'connect-src']));
  });
});

test('no page breaks the policy', async ({ page }) => {
  const yaml = 'name: within-the-policy\nchannels: { messages: { reducer: messages } }\nnodes:\n  - { id: say, type: expression, config: { update: { messages: [{ role: assistant, content: hello }] } }, next: ask }\n  - { id: ask, type: human, config: { payload: "ok?" } }\n';
  await call(page, 'POST', '/v1/graphs', yaml);
  const thread = `policy-${Math.random().toString(36).slice(2, 10)}`;
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'within-the-policy', thread_id: thread, input: {} });
  await page.addInitScript(() => {
    const broken: string[] = [];
    Object.assign(window, { broken });
    document.addEventListener('securitypolicyviolation', (it) => broken.push(`${it.effectiveDirective} ${it.blockedURI}`));
  });
  const tabs = ['', '/timeline', '/checkpoints/0', '/tasks/1%3Asay', '/tools', '/events/1', '/data', `/compare/${run.id}`];
  const paths = ['/', '/runs', '/inbox', '/graphs', '/graphs/new', '/graphs/within-the-policy', '/graphs/within-the-policy/versions/1/edit', '/threads', `/threads/${thread}`, '/schedules', '/catalog', '/catalog/expressions', '/catalog/context'];
  for (const path of [...paths, ...tabs.map((tab) => `/runs/${run.id}${tab}`)]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expect(page.getByLabel('Loading')).toHaveCount(0);
    expect(await page.evaluate(() => (window as unknown as { broken: string[] }).broken), path).toEqual([]);
  }
});

for (const path of ['/runs', '/inbox', '/graphs', '/threads', '/schedules', '/catalog', '/runs/none/checkpoints/3']) {
  test.describe(path, () => {
    // The service says that there is no such run, and so does the page.
    test.use({ expectedErrors: path.includes('none') ? [/404/] : [] });

    test('opens by its address and after a reload', async ({ page }) => {
      for (const visit of [() => page.goto(path), () => page.reload()]) {
        const answer = await visit();
        expect(answer!.status()).toBe(200);
        await expect(page.getByRole('heading', { level: 1, name: 'Superstep' })).toBeVisible();
        expect(new URL(page.url()).pathname).toBe(path);
      }
    });
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('home can be used by everybody', async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await accessible(page);
      await picture(page, `home-${colorScheme}`);
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true });

  test('the navigation opens, and nothing is wider than the screen', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Open or close the navigation' }).click();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await expect(page).toHaveURL(/inbox$/);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await picture(page, 'phone');
  });
});
