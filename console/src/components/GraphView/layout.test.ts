import ELK from 'elkjs/lib/elk.bundled.js';
import { expect, it } from 'vitest';
import { toElements, type Drawable } from './elements';
import { layout, rounded } from './layout';

function wide(nodes: number): Drawable {
  const id = (index: number) => `step-${index}`;
  const all = Array.from({ length: nodes }, (_, index) => index);
  return {
    nodes: all.map((index) => ({ id: id(index), type: 'expression' })),
    edges: all.slice(1).map((index) => ({ from: [id(Math.floor((index - 1) / 3))], to: [id(index)] })),
  } as Drawable;
}

function overlaps(one: { x: number; y: number; width: number; height: number }, other: typeof one): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

for (const count of [2, 20, 200]) {
  it(`places ${count} nodes with room for each, the start above all`, async () => {
    const picture = toElements(wide(count));
    const { nodes, lines } = await layout(picture, new ELK());
    const all = [...nodes.values()];
    expect(all).toHaveLength(picture.nodes.length);
    expect(all.filter((one, index) => all.slice(index + 1).some((other) => overlaps(one, other)))).toEqual([]);
    expect(nodes.get('__start__')!.y).toBe(Math.min(...all.map((it) => it.y)));
    expect(picture.edges.every((edge) => lines.get(edge.id)!.points.length >= 2)).toBe(true);
  });
}

it('puts what a subgraph unfolds into its group', async () => {
  const graph = { nodes: [{ id: 'a', type: 'subgraph', config: { graph: '#in' } }], graphs: { in: wide(3) } } as unknown as Drawable;
  const { nodes } = await layout(toElements(graph, { ids: new Set(['a']), stored: new Map() }), new ELK());
  const group = nodes.get('a')!;
  for (const inner of ['a/step-0', 'a/step-2']) {
    const place = nodes.get(inner)!;
    expect(place.y).toBeGreaterThanOrEqual(58);
    expect(place.x + place.width).toBeLessThan(group.width);
    expect(place.y + place.height).toBeLessThan(group.height);
  }
});

it('rounds corners and keeps the ends', () => {
  const path = rounded([{ x: 0, y: 0 }, { x: 0, y: 20 }, { x: 4, y: 20 }]);
  expect(path).toBe('M 0 0 L 0 14 Q 0 20 2 20 L 4 20');
});
