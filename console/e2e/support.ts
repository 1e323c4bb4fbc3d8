import AxeBuilder from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';

const SCREENSHOTS = '../target/console-screenshots';

/** Answers that the browser reports as errors of the page, though a story is about them. */
type Options = { expectedErrors: RegExp[] };

/**
 * Like Playwright's `test`, but a story also fails when the page breaks its policy, throws, or
 * writes an error to the console: `test.use({ expectedErrors: [/401/] })` names those it is about.
 */
export const test = base.extend<Options & { watched: void }>({
  expectedErrors: [[], { option: true }],
  watched: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(`thrown: ${error.message}`));
      page.on('dialog', (dialog) => {
        errors.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await use();
      const unexpected = errors.filter((it) => !expectedErrors.some((expected) => expected.test(it)));
      expect(unexpected, 'errors of the page').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Keeps a picture of what is seen now, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, animations: 'disabled' });
}

/** Fails on what keeps people with a screen reader, a keyboard or weak eyes from using the page. */
export async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']).analyze();
  expect(violations.map((it) => `${it.id}: ${it.help}: ${it.nodes.map((node) => node.html).join(' | ')}`)).toEqual([]);
}

/** A call of the API beside the page, for what a story needs to be there. */
export async function call<T = Record<string, unknown>>(
  page: Page,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: string | object,
): Promise<T> {
  const type = typeof body === 'string' ? 'application/yaml' : 'application/json';
  const answer = await page.request.fetch(path, { method, data: body, headers: body ? { 'Content-Type': type } : {}, timeout: 90_000 });
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return (answer.status() === 204 ? {} : await answer.json()) as T;
}

/** Texts of models and strangers that try to become part of the page. */
export const hostile = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><a xlink:href="javascript:window.hacked = 1">go</a></svg>',
  '"><iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  "javascript:window.hacked = 1",
  '[go](javascript:window.hacked=1)',
  '{{constructor.constructor("window.hacked = 1")()}}',
  '<style>body { display: none }</style>',
  '\u202Etxt.exe',
];

/** That none of `hostile` has become anything but text. */
export async function harmless(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  await expect(page.locator('a[href^="javascript:" i], iframe, img[onerror], svg[onload], body script')).toHaveCount(0);
}
