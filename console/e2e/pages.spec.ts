import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { accessible, call, expect, picture, test } from './support';

/** Of this story alone: stories share a service. */
function own(name: string): string {
  return `${name}-${Math.random().toString(36).slice(2, 10)}`;
}

const compute = 'type: expression, config: { update: { x: "{{ 1 }}" } }';

const nested = (name: string, mail: string) => `name: ${name}
channels: { kind: {}, x: {} }
nodes:
  - { id: plan, type: expression, config: { dispatch: "{{ [1, 2].map(t, dispatch('read', {'id': t})) }}" }, targets: [read], if_empty: tell }
  - { id: read, type: subgraph, config: { graph: "#document" } }
  - { id: check, type: human, config: { payload: "ok?" } }
  - { id: tell, type: subgraph, config: { graph: ${mail} } }
  - { id: repair, ${compute} }
edges:
  - { from: __start__, to: [plan, check] }
  - { from: [read, check], to: tell, join: any }
  - { from: read, to: repair, type: error, error_codes: [http_500] }
  - { from: repair, route: state.kind, route_map: { again: plan, enough: __end__ } }
graphs:
  document:
    nodes:
      - { id: load, ${compute}, next: deeper }
      - { id: deeper, type: subgraph, config: { graph: "#page" } }
  page: { nodes: [{ id: cut, ${compute} }] }
`;

async function drawn(page: Page, name: string) {
  const drawing = page.getByRole('group', { name: `Graph ${name}` });
  await expect(drawing).toHaveAttribute('aria-busy', 'false');
  return drawing;
}

test('a picture shows joins, errors, routes and dispatches, and unfolds subgraphs in place', async ({ page }) => {
  const [name, mail] = [own('nested'), own('mail')];
  await call(page, 'POST', '/v1/graphs', `name: ${mail}\nnodes:\n  - { id: send, ${compute} }\n`);
  await call(page, 'POST', '/v1/graphs', nested(name, mail));
  await page.goto(`/graphs/${name}`);
  const drawing = await drawn(page, name);
  for (const mark of ['join any', 'error http_500', 'again', 'enough', 'dispatch', 'if empty']) await expect(drawing.getByText(mark, { exact: true })).toBeVisible();
  const choice = (id: string) => drawing.getByRole('button', { name: id });
  await expect(choice('load')).toHaveCount(0);
  await drawing.getByRole('button', { name: 'Unfold #document' }).click();
  await expect(choice('load')).toBeVisible();
  // By the keyboard: the picture still moves to what was unfolded last, away from the mouse.
  await drawing.getByRole('button', { name: 'Unfold #page' }).press('Enter');
  await expect(choice('cut')).toBeVisible();
  await drawing.getByRole('button', { name: `Unfold ${mail}` }).press('Enter');
  await expect(choice('send')).toBeVisible();
  const [group, inner] = [await drawing.locator('.graph-group').filter({ hasText: 'tell' }).boundingBox(), await choice('send').boundingBox()];
  expect(inner!.x > group!.x && inner!.y > group!.y && inner!.x + inner!.width < group!.x + group!.width && inner!.y + inner!.height < group!.y + group!.height, 'it lies within its subgraph').toBe(true);
  await picture(page, 'graph-unfolded');
  await accessible(page);
  await drawing.getByRole('button', { name: 'Fold #document' }).press('Enter');
  await expect(choice('load')).toHaveCount(0);
  await expect(choice('cut')).toHaveCount(0);
  await expect(choice('send')).toHaveCount(1);
});

test('the keyboard chooses nodes of a picture', async ({ page }) => {
  const name = own('keyboard');
  await call(page, 'POST', '/v1/graphs', `name: ${name}\nnodes:\n  - { id: first, ${compute}, next: second }\n  - { id: second, ${compute} }\n`);
  await page.goto(`/graphs/${name}`);
  const drawing = await drawn(page, name);
  await page.getByRole('tab', { name: 'Picture' }).focus();
  await page.keyboard.press('Tab');
  await expect(drawing.getByRole('button', { name: 'first' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(drawing.getByRole('button', { name: 'second' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByLabel('Node second')).toContainText('"id": "second"');
});

test('two hundred nodes are laid out, and one of them is found', async ({ page }) => {
  const name = own('large');
  const lanes = Array.from({ length: 14 }, (_, lane) => Array.from({ length: 14 }, (__, step) => `lane${lane}-step${step}`));
  const nodes = lanes.flat().map((id) => `  - { id: ${id}, ${compute} }`);
  const edges = lanes.flatMap((lane) => [`  - { from: begin, to: ${lane[0]} }`, ...lane.slice(1).map((id, index) => `  - { from: ${lane[index]}, to: ${id} }`)]);
  const ends = lanes.map((lane) => lane.at(-1)).join(', ');
  await call(page, 'POST', '/v1/graphs', `name: ${name}\nchannels: { x: { reducer: append } }\nnodes:\n  - { id: begin, ${compute} }\n${nodes.join('\n')}\n  - { id: finish, ${compute} }\nedges:\n${edges.join('\n')}\n  - { from: [${ends}], to: finish, join: all }\n`);
  await page.goto(`/graphs/${name}`);
  const drawing = await drawn(page, name);
  await expect(drawing.getByRole('button', { name: 'begin' })).toBeInViewport();
  await picture(page, 'graph-200');
  await page.getByRole('combobox', { name: 'Find a node' }).fill('lane7-step9');
  await page.getByRole('option', { name: 'lane7-step9' }).click();
  await expect(drawing.getByRole('button', { name: 'lane7-step9' })).toBeInViewport();
});

test.describe('in the dark', () => {
  // A text that is half written may be no YAML; and axe sets a style itself to look at lines of the editor.
  test.use({ colorScheme: 'dark', expectedErrors: [/400|Applying inline style/] });

  test('the editor offers what may stand at the cursor', async ({ page }) => {
    await page.goto('/graphs/new');
    const editor = page.getByRole('textbox', { name: 'Definition' });
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('name: offered\nchannels: { answer: {} }\nnodes:\n  - id: ask\n    type: human\n  - id: tell\n    type: llm\n');
    await expect(page.getByRole('status')).not.toBeEmpty();
    // Before something is offered: the list of CodeMirror is moved through from the editor, which axe does not see.
    await accessible(page);
    const options = page.getByRole('option');
    const offered = async (text: string) => {
      await page.keyboard.insertText(text);
      await expect(page.getByRole('status')).not.toBeEmpty();
      await page.keyboard.press('Control+Space');
      await expect(options.first()).toBeVisible();
      return (await options.allTextContents()).join(' ');
    };
    const keys = await offered('    config:\n      ');
    expect(keys).toContain('output_to');
    expect(keys, 'a key of human nodes').not.toContain('answer_schema');
    expect(keys, 'a key of the whole').not.toContain('edges');
    await picture(page, 'completion-dark');
    await page.keyboard.press('Escape');
    expect(await offered('output_to: ')).toMatch(/^answer/);
    // The keyboard is not taken at once, so that a key meant for the text does not choose what has just appeared.
    await options.first().click();
    expect(await offered('\n      ')).toContain('system');
    await page.keyboard.press('Escape');
    expect(await offered('prompt: "{{ state.')).toMatch(/^answer/);
    await page.keyboard.press('Escape');
    const nodes = await offered('answer }}"\nedges:\n  - from: ');
    expect(nodes).toMatch(/^ask.*tell.*__start__/);
    await options.first().click();
    await expect(editor).toContainText('- from: ask');
  });
});

test('runs are searched by time, in the form', async ({ page }) => {
  const story = own('timed');
  await call(page, 'POST', '/v1/graphs', readFileSync('../examples/fan-out/graph.yaml', 'utf8'));
  await call(page, 'POST', '/v1/runs?wait=10s', { graph: 'fan-out', input: { topics: ['a'] }, metadata: { story } });
  await page.goto(`/runs?metadata=story%3A${story}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  const [from, to] = [page.getByLabel('Created from'), page.getByLabel('Created to')];
  await to.fill('2020-01-31T12:00');
  await expect(page.getByText('No run is like this.')).toBeVisible();
  await expect(page).toHaveURL(/created_before=2020-01-3/);
  await from.fill('2020-01-01T12:00');
  await to.fill('2100-01-01T12:00');
  await expect(page.getByRole('row')).toHaveCount(2);
  await from.fill('2099-01-01T12:00');
  await expect(page.getByText('No run is like this.')).toBeVisible();
  await page.getByRole('button', { name: 'day', exact: true }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(to).toHaveValue('');
  await page.reload();
  await expect(from).not.toHaveValue('');
  await accessible(page);
  await picture(page, 'runs-by-time');
});

test('home says what this server is, what fails and what is asked', async ({ page }) => {
  const asked = own('question');
  await call(page, 'POST', '/v1/graphs', 'name: home-fails\nnodes:\n  - { id: stop, type: fail, config: { code: sold_out, message: "nothing is left" } }\n');
  await call(page, 'POST', '/v1/runs?wait=10s', { graph: 'home-fails', input: {} });
  await call(page, 'POST', '/v1/graphs', 'name: home-asks\nchannels: { question: {}, answer: {} }\nnodes:\n  - { id: ask, type: human, config: { payload: "{{ state.question }}", answer_to: answer } }\n');
  await call(page, 'POST', '/v1/runs?wait=10s', { graph: 'home-asks', input: { question: asked } });
  const { version } = await call(page, 'GET', '/v1/server');
  await page.goto('/');
  const server = page.getByRole('region', { name: 'This server' });
  await expect(server).toContainText(`Superstep ${version}`);
  await expect(server).toContainText('healthy');
  await expect(server).toContainText('Database reachable');
  await expect(page.getByRole('region', { name: 'Failed, of the runs of the last day' })).toContainText('home-fails');
  await expect(page.getByRole('region', { name: 'Running and waiting' })).toContainText('interrupted');
  await expect(page.getByRole('region', { name: 'Newest questions' }).getByRole('link', { name: asked })).toBeVisible();
  await accessible(page);
  await picture(page, 'home-full');
});

test('the catalog previews a prompt context with the filters of a graph', async ({ page }) => {
  const name = own('filters');
  await call(page, 'POST', '/v1/graphs', `name: ${name}\ncontext: { variables: { llm.model: m } }\nnodes:\n  - { id: find, ${compute} }\n  - { id: think, type: expression, config: {} }\nedges:\n  - { from: find, to: think, context_filter: { type: selective, exclude_patterns: ["*.api_key"] } }\n`);
  await page.goto('/catalog/context');
  await page.getByRole('combobox', { name: 'Graph' }).fill(name);
  await page.getByRole('option', { name }).click();
  await page.getByRole('combobox', { name: 'Node' }).click();
  await page.getByRole('option', { name: 'think' }).click();
  await expect(page.getByLabel('The node (JSON)', { exact: true })).toHaveValue(/"think"/);
  await page.getByRole('button', { name: 'Preview' }).click();
  const items = page.getByRole('region', { name: 'Items' });
  await expect(items.getByRole('row').filter({ hasText: 'tool.api_key' })).toContainText('dropped');
  await expect(items.getByRole('row').filter({ hasText: 'llm.model' })).toContainText('kept');
  await expect(page.getByLabel('What the node sees')).not.toContainText('sk-1');
  await accessible(page);
  await picture(page, 'context-preview');
});
