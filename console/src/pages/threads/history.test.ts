import { expect, it } from 'vitest';
import type { Schemas } from '../../api/client';
import { parts } from './history';

const at = (run_id: string, checkpoint: number) => ({ id: `${run_id}-${checkpoint}`, run_id, checkpoint });

/** `run number < parent`, as `b0<a2`. */
function checkpoints(...lines: string[]): Schemas['ThreadCheckpoint'][] {
  return lines.map((line) => {
    const [own, parent] = line.split('<').map((it) => at(it[0]!, Number(it[1])));
    return { ...own!, parent, kind: 'step', superstep: own!.checkpoint, state_hash: '', created_at: line };
  });
}

const short = (all: ReturnType<typeof parts>) => all.map(({ run, first, last, from, branch, kept }) => [run, `${first}-${last}`, from && `${from.run_id}${from.checkpoint}`, branch, kept]);

it('is a line where each run goes on from the one before', () => {
  const history = checkpoints('b1<b0', 'b0<a1', 'a1<a0', 'a0');
  expect(short(parts(history, at('b', 1)))).toEqual([
    ['b', '0-1', 'a1', false, 1],
    ['a', '0-1', undefined, false, 1],
  ]);
});

it('shows what was left behind where a run began from an older checkpoint', () => {
  const history = checkpoints('c0<a1', 'b1<b0', 'b0<a2', 'a2<a1', 'a1<a0', 'a0');
  expect(short(parts(history, at('c', 0)))).toEqual([
    ['c', '0-0', 'a1', true, 0],
    ['b', '0-1', 'a2', false, undefined],
    ['a', '0-2', undefined, false, 1],
  ]);
});

it('knows which of two runs from the same checkpoint came second', () => {
  const history = checkpoints('c0<a0', 'b0<a0', 'a0');
  expect(short(parts(history, at('c', 0))).map((it) => it[3])).toEqual([true, false, false]);
});

it('leaves open what older pages would tell', () => {
  expect(short(parts(checkpoints('b1<b0', 'b0<a7'), at('b', 1)))).toEqual([['b', '0-1', 'a7', false, 1]]);
  expect(parts([], undefined)).toEqual([]);
});
