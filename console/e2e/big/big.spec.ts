import { expect, type Locator, type Page } from '@playwright/test';
import { call, test } from '../support';

/** How long something may take before people find it slow; twice that where the machine is slow is still printed as it is. */
const usableMs = 5_000;
const answerMs = Number(process.env.ANSWER_MS ?? 1_000);

const graphs = {
  tiny: 'name: big-tiny\nnodes: [{ id: a, type: expression, config: { update: { x: 1 } } }]\n',
  loop: `name: big-loop
channels: { count: { reducer: sum, default: 0 } }
limits: { max_supersteps: 20000 }
nodes:
  - id: add
    type: expression
    config: { update: { count: 1 } }
    switch: [{ when: "state.count < state.until", to: check }, { else: __end__ }]
  - { id: check, type: router, next: add }
`,
  wide: `name: big-wide
channels: { findings: { reducer: append } }
nodes:
  - { id: plan, type: expression, config: { dispatch: "{{ fan_out('work', state.topics, 'task') }}" }, targets: [work] }
  - { id: work, type: expression, config: { update: { findings: "all about {{ input.task }}" } }, next: done }
  - { id: done, type: expression, config: { update: { count: "{{ size(state.findings) }}" } } }
`,
  large: `name: big-large
nodes:
  - { id: one, type: expression, config: { update: { one: "{{ state.items }}" } }, next: two }
  - { id: two, type: expression, config: { update: { two: "{{ state.items }}" } }, next: three }
  - { id: three, type: expression, config: { update: { three: "{{ state.items }}" } }, next: last }
  - { id: last, type: expression, config: { update: { note: done } } }
`,
};

const measures: { what: string; ms: number }[] = [];

function note(what: string, ms: number) {
  measures.push({ what, ms: Math.round(ms) });
  console.log(`${String(Math.round(ms)).padStart(7)} ms  ${what}`);
}

/** The time until something is there, from an address or an action of the user. */
async function until(what: string, act: () => Promise<unknown>, there: Locator, max = answerMs) {
  const begun = performance.now();
  await act();
  await expect(there).toBeVisible();
  const ms = performance.now() - begun;
  note(what, ms);
  expect.soft(ms, what).toBeLessThan(max);
}

/** The longest time between two frames while somebody scrolls. */
async function scrolling(what: string, page: Page, box: Locator) {
  await box.hover();
  await page.evaluate(() => {
    const frames = { longest: 0, last: performance.now(), on: true };
    Object.assign(window, { frames });
    const tick = () => {
      const now = performance.now();
      frames.longest = Math.max(frames.longest, now - frames.last);
      frames.last = now;
      if (frames.on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  for (let i = 0; i < 30; i++) await page.mouse.wheel(0, i < 20 ? 400 : 100_000);
  const longest = await page.evaluate(() => {
    const { frames } = window as unknown as { frames: { on: boolean; longest: number } };
    frames.on = false;
    return frames.longest;
  });
  note(`${what}: longest frame while scrolling`, longest);
  expect.soft(longest, what).toBeLessThan(answerMs);
}

async function run(page: Page, graph: keyof typeof graphs, id: string, input: object) {
  await call(page, 'POST', '/v1/graphs', graphs[graph]);
  const begun = performance.now();
  await call(page, 'POST', '/v1/runs', { id, graph: `big-${graph}`, input, metadata: { story: 'big' } });
  await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${id}`)).status, { timeout: 600_000, intervals: [500] }).toBe('succeeded');
  console.log(`         ${id} is there after ${Math.round(performance.now() - begun)} ms`);
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test.afterAll(() => console.log(JSON.stringify(measures)));

test('2,000 runs in the list', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', graphs.tiny);
  const there = await call<{ items: unknown[] }>(page, 'GET', '/v1/runs?graph=big-tiny&limit=1&metadata=number:1999');
  for (let from = 0; there.items.length === 0 && from < 2_000; from += 25) {
    await Promise.all(Array.from({ length: 25 }, (_, i) => call(page, 'POST', '/v1/runs', { graph: 'big-tiny', input: {}, metadata: { number: `${from + i}` } })));
  }
  await until('runs: first rows', () => page.goto('/runs?graph=big-tiny'), page.getByRole('row').nth(20), usableMs);
  const more = page.getByRole('button', { name: /more|older/i });
  for (let pages = 0; pages < 39 && (await more.isVisible()); pages++) {
    const rows = Number(await page.getByRole('table').getAttribute('aria-rowcount'));
    const begun = performance.now();
    await more.click();
    await expect.poll(async () => Number(await page.getByRole('table').getAttribute('aria-rowcount')), { intervals: [20] }).toBeGreaterThan(rows);
    if (pages % 10 === 0 || pages === 38) note(`runs: page ${pages + 2}`, performance.now() - begun);
  }
  await scrolling('runs', page, page.getByRole('main'));
  await until('runs: to the home page and its list', () => page.getByRole('link', { name: 'Home' }).click(), page.getByRole('heading', { level: 2 }).first());
});

test('a run of 10,000 supersteps', async ({ page }) => {
  const id = 'big-10000-supersteps';
  await run(page, 'loop', id, { until: 5_000 });
  await until('supersteps: live', () => page.goto(`/runs/${id}`), region(page, 'Tasks').getByRole('link').first(), usableMs);
  await until('supersteps: all tasks are read', async () => {}, page.getByText(/9,999 tasks|10,000 tasks/).first(), 30_000);
  await scrolling('supersteps: tasks', page, region(page, 'Tasks'));
  await until('supersteps: to the timeline', () => tab(page, 'Timeline').click(), region(page, 'Timeline of tasks').getByRole('img').first());
  await scrolling('supersteps: timeline', page, region(page, 'Timeline of tasks'));
  await until('supersteps: to the events', () => tab(page, 'Events').click(), region(page, 'Events').getByText('run.created'));
  await scrolling('supersteps: events', page, region(page, 'Events'));
  await until('supersteps: the newest event', () => page.getByRole('button', { name: 'The newest' }).click(), region(page, 'Events').getByText('run.succeeded'));
  await until('supersteps: to time travel', () => tab(page, 'Time travel').click(), page.getByLabel('State', { exact: true }));
  await until('supersteps: back one checkpoint', () => page.getByRole('button', { name: 'Back' }).click(), page.getByText('Checkpoint 9998 of').or(page.getByText('Checkpoint 9999 of')));
  await until('supersteps: the address of a checkpoint', () => page.goto(`/runs/${id}/checkpoints/5001`), page.getByLabel('count after'), usableMs);
  await until('supersteps: the address of an event', () => page.goto(`/runs/${id}/events/7000`), page.getByLabel('Event 7000'), usableMs);
  await until('supersteps: the address of a task', () => page.goto(`/runs/${id}/tasks/${encodeURIComponent('51:add')}`), region(page, 'Task 51:add').getByLabel('Change'), usableMs);
  const fork = 'big-10000-supersteps-again';
  await run(page, 'loop', fork, { until: 5_000 });
  await until('supersteps: compared with another one', () => page.goto(`/runs/${id}/compare/${fork}`), page.getByText('Both took the same path.'), 30_000);
});

test('a run of 10,000 dispatches', async ({ page }) => {
  const id = 'big-10000-dispatches';
  await run(page, 'wide', id, { topics: Array.from({ length: 9_998 }, (_, i) => `topic ${i}`) });
  await until('dispatches: live', () => page.goto(`/runs/${id}`), region(page, 'Tasks').getByRole('link').first(), usableMs);
  await until('dispatches: the counter of all', async () => {}, page.getByText('9,998 of 9,998'), 30_000);
  await until('dispatches: unfold the node', () => page.getByRole('button', { name: 'Show the tasks of work' }).click(), page.getByRole('heading', { name: 'Tasks of work' }));
  await scrolling('dispatches: tasks', page, region(page, 'Tasks'));
  await until('dispatches: to the timeline', () => tab(page, 'Timeline').click(), region(page, 'Timeline of tasks').getByRole('img').first());
  await scrolling('dispatches: timeline', page, region(page, 'Timeline of tasks'));
  await until('dispatches: to the tasks', () => tab(page, 'Tasks').click(), region(page, 'Tasks').getByRole('link').first());
  await until('dispatches: a task', () => region(page, 'Tasks').getByRole('link').nth(5).click(), page.getByLabel('Input of the task'));
  await until('dispatches: to time travel', () => tab(page, 'Time travel').click(), page.getByLabel('State', { exact: true }));
  await until('dispatches: the checkpoint with all of them', () => page.goto(`/runs/${id}/checkpoints/2`), page.getByLabel('State', { exact: true }), usableMs);
});

test('a run of 10,000 dispatches, while it runs', async ({ page }) => {
  const id = `big-live-${Date.now()}`;
  await call(page, 'POST', '/v1/graphs', graphs.wide);
  await call(page, 'POST', '/v1/runs', { id, graph: 'big-wide', input: { topics: Array.from({ length: 9_998 }, (_, i) => `topic ${i}`) } });
  await until('dispatches, under way: live', () => page.goto(`/runs/${id}`), page.getByRole('table', { name: 'Nodes' }), usableMs);
  await until('dispatches, under way: to the events', () => tab(page, 'Events').click(), region(page, 'Events').getByText('run.created'));
  await until('dispatches, under way: back', () => tab(page, 'Live').click(), page.getByRole('table', { name: 'Nodes' }));
  await expect(page.getByText('succeeded', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('9,998 of 9,998')).toBeVisible();
});

test('a state of 16 MB', async ({ page }) => {
  const id = 'big-16-megabytes';
  const small = 'big-not-so-big';
  const item = (i: number) => ({ id: i, title: `item ${i}`, text: 'words and more words, '.repeat(8), score: i / 7 });
  const items = Array.from({ length: 16_000 }, (_, i) => item(i));
  await run(page, 'large', id, { items });
  await run(page, 'large', small, { items: items.slice(0, 2) });
  await until('16 MB: live', () => page.goto(`/runs/${id}`), region(page, 'Tasks').getByRole('link').first(), usableMs);
  await until('16 MB: to input and output', () => tab(page, 'Input and output').click(), page.getByLabel('Output', { exact: true }));
  await until('16 MB: to time travel, at the end', () => tab(page, 'Time travel').click(), page.getByLabel('note after'), usableMs);
  await until('16 MB: back one checkpoint', () => page.getByRole('button', { name: 'Back' }).click(), page.getByLabel('three after'), usableMs);
  const channel = page.getByLabel('State of items', { exact: true });
  const all = channel.locator('..').getByRole('button', { name: 'Show all of it' });
  await until('16 MB: show all of a channel of 4 MB', () => all.click(), page.getByRole('region', { name: 'State of items', exact: true }), 3_000);
  await scrolling('16 MB: a whole channel', page, page.getByRole('region', { name: 'State of items', exact: true }));
  await until('16 MB: to the timeline', () => tab(page, 'Timeline').click(), region(page, 'Timeline of tasks').getByRole('img').first());
  await until('16 MB: a task that wrote 4 MB', () => page.goto(`/runs/${id}/tasks/1%3Aone`), page.getByLabel('Change'), usableMs);
  await until('16 MB: compared with a small run', () => page.goto(`/runs/${id}/compare/${small}`), page.getByText('These are the first 50 places that differ.').first(), usableMs);
});
