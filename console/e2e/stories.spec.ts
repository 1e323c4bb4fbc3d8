import { readFileSync } from 'node:fs';
import { accessible, call, expect, picture, test } from './support';

/** Of this story alone: stories share a service. */
function own(name: string): string {
  return `${name}-${Math.random().toString(36).slice(2, 10)}`;
}

const approval = readFileSync('../examples/approval/graph.yaml', 'utf8');

test('home runs an example, and shows its fan-out', async ({ page }) => {
  // A slow machine may draw the graph only when the topics of the example are done: these take four times as long.
  await page.route('**/v1/runs*', async (route) => {
    const body = route.request().postDataJSON() as { input?: { topics?: { seconds: number }[] } } | null;
    body?.input?.topics?.forEach((topic) => {
      topic.seconds *= 4;
    });
    await route.continue(body === null ? {} : { postData: body });
  });
  await page.goto('/');
  await page.getByRole('button', { name: /example/ }).click();
  await expect(page).toHaveURL(/\/runs\//);
  const drawing = page.getByRole('group', { name: 'Graph first-fan-out' });
  await expect(drawing).toContainText(/(waiting|active) [1-3]\/4/);
  await picture(page, 'fan-out-live');
  await expect(drawing.getByRole('button', { name: 'researcher' })).toContainText('done 4/4', { timeout: 60_000 });
  await expect(page.getByText('succeeded', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Tasks' }).getByText('researcher')).toHaveCount(4);
  await accessible(page);
  await picture(page, 'fan-out');
});

test('time travel shows what a superstep changed, and forks from there', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', readFileSync('../examples/fan-out/graph.yaml', 'utf8'));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics: ['a', 'b'] } });
  await page.goto(`/runs/${run.id}/checkpoints/3`);
  await expect(page.getByText('Checkpoint 3 of 3')).toBeVisible();
  await expect(page.getByLabel('report after')).toContainText('all about a; all about b');
  await picture(page, 'time-travel');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/checkpoints\/2$/);
  await expect(page.getByLabel('findings after')).toBeVisible();
  await expect(page.getByLabel('Pending activations and dispatches')).toContainText('aggregate');
  await page.reload();
  await expect(page.getByText('Checkpoint 2 of 3')).toBeVisible();
  await page.getByLabel('Channels to overwrite (JSON)').fill('{"findings": ["mine"]}');
  await page.getByRole('button', { name: 'Fork from checkpoint 2' }).click();
  await expect(page).not.toHaveURL(new RegExp(run.id));
  await page.getByRole('tab', { name: 'Input and output' }).click();
  await expect(page.getByLabel('Output', { exact: true })).toContainText('"report": "mine"');
});

test('the timeline and the events of a run are there', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', readFileSync('../examples/fan-out/graph.yaml', 'utf8'));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics: ['a', 'b', 'c'] } });
  await page.goto(`/runs/${run.id}/timeline`);
  await expect(page.getByRole('region', { name: 'Timeline of tasks' }).getByRole('img')).toHaveCount(5);
  await accessible(page);
  await picture(page, 'timeline');
  await page.getByRole('tab', { name: 'Events' }).click();
  await expect(page.getByRole('region', { name: 'Events' }).getByText('run.succeeded')).toBeVisible();
});

const fanOut = readFileSync('../examples/fan-out/graph.yaml', 'utf8');

const tools = `name: tool-calls
channels: { messages: { reducer: messages } }
nodes:
  - id: ask
    type: expression
    config:
      update:
        messages:
          - { role: assistant, content: "", tool_calls: [{ id: c1, name: weather, arguments: { city: "{{ state.city }}" } }, { id: c2, name: nonsense, arguments: { of: all } }] }
    next: answer
  - { id: answer, type: expression, config: { update: { messages: [{ role: tool, tool_call_id: c1, name: weather, content: "sunny in {{ state.city }}" }] } }, next: tools }
  - { id: tools, type: tool }
`;

test('calls of tools are shown with their arguments, results and errors', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', tools);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'tool-calls', input: { city: 'Paris' } });
  await page.goto(`/runs/${run.id}/tools`);
  const weather = page.getByRole('article', { name: 'weather' });
  await expect(weather.getByLabel('Arguments of weather')).toContainText('"city": "Paris"');
  await expect(weather.getByLabel('Result of weather')).toHaveText('sunny in Paris');
  const nonsense = page.getByRole('article', { name: 'nonsense' });
  await expect(nonsense).toContainText('error');
  await expect(nonsense.getByLabel('Result of nonsense')).toBeVisible();
  await accessible(page);
  await picture(page, 'tool-calls');
  await weather.getByRole('link', { name: '2:answer' }).click();
  await expect(page).toHaveURL(/tasks\/2%3Aanswer$/);
  await expect(page.getByRole('region', { name: 'Task 2:answer' }).getByLabel('Result of weather')).toHaveText('sunny in Paris');
});

test('what each node has spent and taken is in a table, with the sum', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', fanOut);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics: ['a', 'b', 'c'] } });
  // The service of the stories has no model: the numbers are those of the API's example.
  const spent = { model_calls: 3, input_tokens: 1204, output_tokens: 310, total_tokens: 1514, cost: '0.000921', unpriced_calls: 1 };
  await page.route(new RegExp(`/v1/runs/${run.id}\\?`), async (route) => {
    const answer = await route.fetch();
    const unpriced = { node: 'aggregate', model_calls: 1, input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    await route.fulfill({ json: { ...(await answer.json()), usage: { ...spent, nodes: [{ node: 'task_executor', ...spent, unpriced_calls: undefined }, unpriced] } } });
  });
  await page.goto(`/runs/${run.id}`);
  const table = page.getByRole('table', { name: 'Nodes' });
  await expect(table.getByRole('row', { name: 'task_executor' })).toContainText(/done 3 of 3.*3.*3.*1,204.*310.*ms/);
  await expect(table.getByRole('row', { name: 'task_executor' })).toContainText(/310\s*0\.000921/);
  await expect(table.getByRole('row', { name: 'aggregate' })).toContainText('not known');
  await expect(table.getByRole('row', { name: /^All/ })).toContainText(/5.*3.*1,204.*310.*0\.000921.*without 1 call of unknown cost/);
  await picture(page, 'usage-by-node');
  await table.getByRole('button', { name: 'Show the tasks of task_executor' }).click();
  await expect(page.getByRole('region', { name: 'Tasks' }).getByRole('link')).toHaveCount(3);
  await expect(page).toHaveURL(/node=task_executor/);
});

test('two runs are compared: how they ended, their paths, their states', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', fanOut);
  const start = (topics: string[]) => call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics } });
  const [one, other] = [await start(['a', 'b']), await start(['a'])];
  await page.goto(`/runs/${one.id}/compare`);
  await page.getByRole('combobox', { name: 'Run to compare with' }).fill(other.id);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(`/runs/${one.id}/compare/${other.id}`);
  const path = page.getByRole('region', { name: 'Paths of both runs' });
  await expect(path).toContainText('task_executor ×2');
  await expect(path.getByText('different')).toHaveCount(1);
  await expect(page.getByLabel('report before')).toContainText('all about a; all about b');
  await expect(page.getByLabel('report after')).toHaveText('all about a');
  await accessible(page);
  await picture(page, 'compare');
  await page.reload();
  await expect(page.getByRole('table', { name: 'Both runs' })).toContainText(other.id);
});

test('a task has an address, however many there are', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', fanOut);
  const topics = Array.from({ length: 300 }, (_, i) => `topic ${i}`);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=20s', { graph: 'fan-out', input: { topics } });
  const { items } = await call<{ items: { task_id: string; input: unknown }[] }>(page, 'GET', `/v1/runs/${run.id}/tasks?superstep=2&limit=200`);
  const task = items[199]!;
  const list = page.getByRole('region', { name: 'Tasks' });
  await page.goto(`/runs/${run.id}/tasks/${encodeURIComponent(task.task_id)}`);
  const details = page.getByRole('region', { name: `Task ${task.task_id}` });
  await expect(details.getByLabel('Input of the task')).toContainText('topic 199');
  await expect(list.locator('[aria-current=true]')).toBeInViewport();
  await picture(page, 'task');
  await page.reload();
  await expect(details.getByLabel('Change')).toContainText('all about topic 199');
  await list.locator('[aria-current=true] + a').click();
  await expect(page).toHaveURL(/tasks\/2%3Atask_executor/);
  await expect(details).toBeHidden();
});

test('an event has an address, and a superstep leads to its checkpoint', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', fanOut);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=20s', { graph: 'fan-out', input: { topics: ['a', 'b'] } });
  await page.goto(`/runs/${run.id}/events`);
  await page.getByRole('region', { name: 'Events' }).getByText('run.started').click();
  await expect(page).toHaveURL(/events\/2$/);
  await page.goto(`/runs/${run.id}/events/3`);
  await expect(page.getByLabel('Event 3', { exact: true })).toContainText('"seq": 3');
  await page.goto(`/runs/${run.id}/timeline`);
  await page.getByRole('region', { name: 'Timeline of tasks' }).getByText(/^Superstep 2/).click();
  await expect(page.getByText('Checkpoint 2 of 3')).toBeVisible();
});

const siblings = `name: siblings
channels: { out: { reducer: append } }
nodes:
  - { id: begin, type: expression, config: { update: { x: 1 } }, next: [quick, sleeper] }
  - { id: quick, type: expression, config: { update: { out: quick } } }
  - { id: sleeper, type: wait, config: { for: 1h } }
`;

test('what is done is held for its siblings, and words are shown while they are written', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', siblings);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs', { graph: 'siblings', input: {} });
  await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${run.id}`)).status).toBe('waiting');
  const live = (type: string, node: string, data: object) => `data: ${JSON.stringify({ type, run_id: run.id, at: new Date().toISOString(), superstep: 2, node, data })}\n\n`;
  await page.route(`**/v1/runs/${run.id}/stream`, (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: live('task.retrying', 'sleeper', { attempt: 2 }) + live('message.delta', 'sleeper', { offset: 0, text: 'Owls <b>see' }) + live('message.delta', 'sleeper', { offset: 11, text: ' at night' }),
    }),
  );
  await page.goto(`/runs/${run.id}`);
  const table = page.getByRole('table', { name: 'Nodes' });
  await expect(table.getByRole('row', { name: 'quick' })).toContainText('held');
  await expect(table.getByRole('row', { name: 'sleeper' })).toContainText('running');
  await expect(page.getByText('Owls <b>see at night')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Tasks' }).getByText('retrying')).toBeVisible();
  await accessible(page);
  await picture(page, 'held');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByRole('region', { name: 'Timeline of tasks' })).toContainText('held for sleeper');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('cancelled', { exact: true }).first()).toBeVisible();
});

test('a large value is cut, shown whole, and saved', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', fanOut);
  const topics = Array.from({ length: 3 }, (_, i) => `${i}`.repeat(50_000));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics } });
  await page.goto(`/runs/${run.id}/data`);
  const input = page.getByLabel('Input', { exact: true });
  await expect(input).toContainText('000…');
  await page.getByRole('button', { name: 'Show all of it' }).first().click();
  await input.hover();
  await page.mouse.wheel(0, 1_000_000);
  await expect(input).toContainText('222');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).first().click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('Input.json');
  expect(JSON.parse(readFileSync(await saved.path(), 'utf8'))).toEqual({ topics });
});

test('large channels of a state are read when somebody asks, or when they differ', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', fanOut);
  const topics = Array.from({ length: 3 }, (_, i) => `${i}`.repeat(30_000));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics } });
  const read: string[] = [];
  page.on('request', (request) => {
    const channel = new URL(request.url()).searchParams.get('channel');
    if (channel) read.push(channel);
  });
  await page.goto(`/runs/${run.id}/checkpoints/3`);
  const state = page.getByLabel('State of topics', { exact: true });
  await expect(state).toContainText('000…');
  await expect(page.getByLabel('report after')).toContainText('all about 000');
  expect(read).not.toContain('topics');
  await picture(page, 'large-state');
  await state.locator('..').getByRole('button', { name: 'Show all of it' }).click();
  await expect(state.getByText('000').first()).toBeVisible();
  expect(read).toContain('topics');
  await accessible(page);
});

test('an error says what it means and what to do, where it is', async ({ page }) => {
  const name = own('broken');
  await call(page, 'POST', '/v1/graphs', `name: ${name}\nnodes: [{ id: divide, type: expression, config: { update: { y: "{{ 1 / state.x }}" } } }]\n`);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: name, input: { x: 0 } });
  await page.goto(`/runs/${run.id}`);
  await page.getByRole('table', { name: 'Nodes' }).getByRole('link', { name: 'expression_failed' }).click();
  const details = page.getByRole('region', { name: 'Task 1:divide' });
  await details.getByRole('button', { name: 'What it means and what to do' }).click();
  await expect(details.getByText('What to do', { exact: true })).toBeVisible();
  await accessible(page);
  await picture(page, 'error-help');
});

test('Enter in a field of an approval decides nothing', async ({ page }) => {
  const name = own('enter');
  const schema = '{ type: object, properties: { approved: { type: boolean }, comment: { type: string, maxLength: 80 } } }';
  await call(page, 'POST', '/v1/graphs', `name: ${name}\nnodes:\n  - { id: ask, type: human, config: { payload: "ok?", answer_schema: ${schema} } }\n`);
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: name, input: {} });
  await page.goto(`/runs/${run.id}`);
  const question = page.getByRole('article');
  await question.getByLabel('comment').fill('not yet');
  await question.getByLabel('comment').press('Enter');
  await question.getByLabel('comment').fill('now');
  await question.getByRole('button', { name: 'Approve' }).click();
  await expect(question).toHaveCount(0);
  await expect.poll(async () => (await call<{ state: { ask?: unknown } }>(page, 'GET', `/v1/runs/${run.id}/state`)).state.ask).toEqual({ approved: true, comment: 'now' });
});

for (const [device, size] of Object.entries({ desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } })) {
  test(`a question is answered in the inbox, on a ${device}`, async ({ page }) => {
    await page.setViewportSize(size);
    const topic = own('owls');
    await call(page, 'POST', '/v1/graphs', approval);
    const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'approval', input: { topic } });
    await page.goto('/inbox');
    const question = page.getByRole('article').filter({ hasText: topic });
    await expect(question).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen').toBe(true);
    await accessible(page);
    await picture(page, `inbox-${device}`);
    await question.getByRole('button', { name: 'Approve' }).click();
    await expect(question).toHaveCount(0);
    await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${run.id}`)).status).toBe('succeeded');
  });
}

test('runs are searched by what the address says, and deleted after a question', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', approval);
  const story = own('deleted');
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs?wait=10s', { graph: 'approval', input: { topic: 'x' }, metadata: { story } });
  await page.goto(`/runs?metadata=story%3A${story}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  await accessible(page);
  await picture(page, 'runs');
  await page.getByLabel(`Choose run ${run.id}`).check();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, cancel 1' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'cancelled' })).toHaveCount(1);
  await page.getByLabel(`Choose run ${run.id}`).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Yes, delete 1' }).click();
  await expect(page.getByText('No run is like this.')).toBeVisible();
});

test('a graph is drawn, edited with errors in place, saved, compared and tried', async ({ page }) => {
  const name = own('edited');
  await call(page, 'POST', '/v1/graphs', approval.replace('name: approval', `name: ${name}`));
  await page.goto(`/graphs/${name}`);
  const drawing = page.getByRole('group', { name: `Graph ${name}` });
  await expect(drawing).toContainText('review');
  await expect(drawing).toContainText('state.review.approved');
  await picture(page, 'graph');
  await page.getByRole('link', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Definition' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('nonsense: true\n');
  await expect(page.getByRole('status')).toHaveText('1 problem');
  await expect(page.getByRole('alert')).toContainText('/nonsense');
  await picture(page, 'editor');
  await page.keyboard.press('Backspace');
  for (let i = 0; i < 'nonsense: true'.length; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('metadata: { team: a }\n');
  await expect(page.getByRole('status')).toHaveText('It is valid');
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await expect(page).toHaveURL(new RegExp(`${name}/versions/2$`));
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.getByLabel('Changes from version 1 to 2')).toContainText('team');
  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByLabel('topic').fill('geese');
  await page.getByRole('button', { name: 'Run it' }).click();
  await expect(page.getByRole('article')).toContainText('geese');
});

test('threads are conversations, the catalog lists and evaluates', async ({ page }) => {
  await call(page, 'POST', '/v1/graphs', 'name: talk\nchannels: { messages: { reducer: messages } }\nnodes:\n  - { id: say, type: expression, config: { update: { messages: [{ role: assistant, content: "Hello {{ state.name }}" }] } } }\n');
  const thread = own('chat');
  await call(page, 'POST', '/v1/runs?wait=10s', { graph: 'talk', thread_id: thread, input: { name: 'Ada' } });
  await page.goto('/threads');
  await page.getByRole('link', { name: thread }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Hello Ada');
  await accessible(page);
  await picture(page, 'thread');
  await page.goto('/catalog');
  await page.getByRole('button', { name: 'human' }).click();
  await expect(page.getByLabel('Schema of human')).toBeVisible();
  await page.getByRole('tab', { name: 'Expressions' }).click();
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(page.getByLabel('Value', { exact: true })).toContainText('cats!');
  await picture(page, 'expressions');
});

const asks = (name: string) => `name: ${name}
channels: { done: { reducer: append } }
nodes:
  - { id: plan, type: expression, config: { dispatch: "{{ [1, 2].map(n, dispatch('read', {'n': n})) }}" }, targets: [read] }
  - { id: read, type: subgraph, config: { graph: "#document", result: { update: { done: "{{ input.n }}" } } } }
graphs:
  document:
    nodes:
      - { id: load, type: expression, config: { update: { x: 1 } }, next: review }
      - { id: review, type: human, config: { payload: "ok?" } }
`;

test('an unfolded subgraph shows what the nodes of its runs are doing', async ({ page }) => {
  const name = own('inside');
  await call(page, 'POST', '/v1/graphs', asks(name));
  const run = await call<{ id: string }>(page, 'POST', '/v1/runs', { graph: name, input: {} });
  await page.goto(`/runs/${run.id}`);
  const drawing = page.getByRole('group', { name: `Graph ${name}` });
  await drawing.getByRole('button', { name: 'Unfold #document' }).press('Enter');
  await expect(drawing.getByRole('button', { name: 'load' })).toContainText('done 2/2');
  await expect(drawing.getByRole('button', { name: 'review' })).toContainText('waiting 0/2');
  await accessible(page);
  await picture(page, 'inside');
  for (const answered of [1, 2]) {
    const { items } = await call<{ items: { id: string; run_id: string }[] }>(page, 'GET', `/v1/interrupts?status=open&graph=${encodeURIComponent(`${name}#document`)}`);
    await call(page, 'POST', `/v1/interrupts/${items[0]!.id}/answer`, { value: 'yes' });
    await expect(drawing.getByRole('button', { name: 'review' })).toContainText(`${answered}/2`);
  }
  await expect(drawing.getByRole('button', { name: 'read' })).toContainText('done 2/2');
});

const diary = (name: string) => `name: ${name}
channels: { log: { reducer: append } }
nodes:
  - { id: one, type: expression, config: { update: { log: one } }, next: two }
  - { id: two, type: expression, config: { update: { log: two } } }
`;

test('a thread shows its branches, and a run where it began', async ({ page }) => {
  const [graph, thread] = [own('diary'), own('branched')];
  await call(page, 'POST', '/v1/graphs', diary(graph));
  const start = (id: string, more: object) => call(page, 'POST', '/v1/runs?wait=10s', { id, graph, thread_id: thread, input: { log: id }, ...more });
  const [first, second, third] = [own('first'), own('second'), own('third')];
  await start(first, {});
  await start(second, {});
  await start(third, { from: { run_id: first, checkpoint: 1 } });
  await page.goto(`/threads/${thread}`);
  const history = page.getByRole('table', { name: 'History' });
  await expect(history.getByRole('row').filter({ has: page.getByRole('link', { name: third, exact: true }) })).toContainText(`checkpoint 1 of ${first}branchyes`);
  await expect(history.getByRole('row').filter({ has: page.getByRole('link', { name: second, exact: true }) })).toContainText('left behind');
  await expect(history.getByRole('row').filter({ has: page.getByRole('link', { name: first, exact: true }) })).toContainText('up to checkpoint 1');
  await accessible(page);
  await picture(page, 'thread-branches');
  await history.getByRole('link', { name: third, exact: true }).click();
  await page.getByRole('link', { name: `Goes on from ${first}, checkpoint 1` }).click();
  await expect(page.getByText('Checkpoint 1 of 2')).toBeVisible();
});

test('schedules show their times, and triggers what starts runs', async ({ page }) => {
  const graph = own('scheduled');
  await call(page, 'POST', '/v1/graphs', `name: ${graph}\nchannels: { n: {} }\nnodes: [{ id: a, type: router }]\ntriggers:\n  night: { schedule: { cron: "0 2 * * *", zone: Europe/Zurich } }\n  paid: { event: { name: order.paid, match: event.data.amount > 10 } }\n`);
  await page.goto('/schedules');
  const trigger = page.getByRole('table', { name: 'Webhooks and events' }).getByRole('row').filter({ has: page.getByRole('link', { name: graph, exact: true }) });
  await expect(trigger).toContainText('event order.paid');
  await accessible(page);
  await picture(page, 'schedules');
  await page.getByRole('link', { name: `${graph}.night` }).click();
  await expect(page.getByText('0 2 * * * Europe/Zurich')).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
  await expect(page.getByText('None: it is paused, or has ended.')).toBeVisible();
  await accessible(page);
  await picture(page, 'schedule');
});

test('threads without runs are listed too', async ({ page }) => {
  const thread = own('described');
  await call(page, 'POST', '/v1/threads', { thread_id: thread });
  await page.goto('/threads');
  await expect(page.getByRole('main').getByRole('link', { name: thread })).toBeVisible();
  await expect(page.getByText('no run yet').first()).toBeVisible();
  await page.getByRole('link', { name: thread }).click();
  await expect(page.getByRole('heading', { name: `Thread ${thread}` })).toBeVisible();
});

test('time travel stays where it was opened while the run goes on', async ({ page }) => {
  const name = own('goes-on');
  await call(page, 'POST', '/v1/graphs', `name: ${name}\nnodes:\n  - { id: begin, type: expression, config: { update: { x: 1 } }, next: ask }\n  - { id: ask, type: human, config: { payload: "ok?" }, next: last }\n  - { id: last, type: expression, config: { update: { y: 2 } } }\n`);
  const run = await call<{ id: string; interrupts: { id: string }[] }>(page, 'POST', '/v1/runs?wait=10s', { graph: name, input: {} });
  await page.goto(`/runs/${run.id}/checkpoints`);
  const shown = page.getByText(/^Checkpoint \d+ of \d+$/);
  const before = (await shown.textContent())!.match(/\d+/g)!.map(Number);
  const edited = page.getByLabel('Channels to overwrite (JSON)');
  await edited.fill('{"x": 3}');
  await call(page, 'POST', `/v1/interrupts/${run.interrupts[0]!.id}/answer`, { value: 'yes' });
  await expect.poll(async () => (await call(page, 'GET', `/v1/runs/${run.id}`)).status).toBe('succeeded');
  await expect(shown).not.toHaveText(`Checkpoint ${before[0]} of ${before[1]}`);
  await expect(shown).toHaveText(new RegExp(`^Checkpoint ${before[0]} of`));
  await expect(edited).toHaveValue('{"x": 3}');
  await page.getByRole('button', { name: 'The newest' }).click();
  await expect(page.getByLabel('y after')).toBeVisible();
});
