import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from '@playwright/test';
import { call, expect, test } from '../support';

/** What the first visit costs: an empty cache each time, the pages as the service serves them. */
const interactiveMax = Number(process.env.INTERACTIVE_MS ?? 1_500);
const kilobytesMax = 500;
const visits = 7;

interface Visit {
  interactive: number;
  answered: number;
  kilobytes: number;
}

const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** The time since the address was opened at which what was asked for is there, and no script has kept the page busy since. */
async function visit(browser: Browser, path: string, there: (page: Page) => Locator, act: (page: Page) => Promise<unknown>): Promise<Visit> {
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const tasks = { end: 0 };
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) tasks.end = Math.max(tasks.end, task.startTime + task.duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(path, { waitUntil: 'commit' });
  await there(page).waitFor();
  const shown = await page.evaluate(() => performance.now());
  // With scripts of workers, which the network of a page does not show.
  const kilobytes = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((sum, it) => sum + (it as PerformanceResourceTiming).transferSize, 0) / 1_000);
  const busy = await page.evaluate(() => (window as unknown as { tasks: { end: number } }).tasks.end);
  const clicked = performance.now();
  await act(page);
  const answered = performance.now() - clicked;
  await context.close();
  return { interactive: Math.max(shown, busy), answered, kilobytes };
}

async function measured(browser: Browser, what: string, path: string, there: (page: Page) => Locator, act: (page: Page) => Promise<unknown>, max = interactiveMax) {
  const all: Visit[] = [];
  for (let i = 0; i < visits; i++) all.push(await visit(browser, path, there, act));
  const of = (name: keyof Visit) => Math.round(median(all.map((it) => it[name])));
  const slowest = Math.round(Math.max(...all.map((it) => it.interactive)));
  console.log(`${what}: interactive after ${of('interactive')} ms (slowest of ${visits}: ${slowest} ms), the first click answered after ${of('answered')} ms, ${of('kilobytes')} kB`);
  expect.soft(of('interactive'), what).toBeLessThanOrEqual(max);
  return of('kilobytes');
}

test('a first visit to the home page and to a run', async ({ page, browser }) => {
  await call(page, 'POST', '/v1/graphs', readFileSync('../examples/fan-out/graph.yaml', 'utf8'));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics: ['a', 'b', 'c'] } });
  const tab = async (it: Page) => {
    await it.getByRole('tab', { name: 'Timeline' }).click();
    await it.getByRole('region', { name: 'Timeline of tasks' }).waitFor();
  };
  const inbox = async (it: Page) => {
    await it.getByRole('link', { name: 'Inbox' }).click();
    await it.getByRole('heading', { name: 'Inbox' }).waitFor();
  };
  const home = await measured(browser, 'home', '/', (it) => it.getByRole('region', { name: 'Newest runs' }).getByRole('row').nth(1), inbox);
  expect.soft(home, 'kilobytes of the home page').toBeLessThanOrEqual(kilobytesMax);
  await measured(browser, 'a run, its table of nodes', `/runs/${run.id}`, (it) => it.getByRole('table', { name: 'Nodes' }).getByRole('row').nth(1), tab);
  await measured(browser, 'a run, its graph', `/runs/${run.id}`, (it) => it.getByRole('group', { name: 'Graph fan-out' }).getByRole('button', { name: 'planner' }), tab, 2 * interactiveMax);
});
