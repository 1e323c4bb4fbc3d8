import { Anchor, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { cost } from '../../lib/cost';
import type { NodeRow } from '../../lib/progress';
import { useServer } from '../../lib/server';
import { duration, took } from '../../lib/time';
import { runPath } from './addresses';
import { texts } from './texts';

const words = texts.nodes;
/** What something cost, with a mark where calls are missing in it. */
export function Cost({ usage, currency }: { usage: Parameters<typeof cost>[0]; currency?: string }) {
  const shown = cost(usage, currency);
  if (!shown) return null;
  return (
    <>
      <span title={shown.whole}>{shown.text}</span>
      {shown.lacks > 0 && <Text size="xs">{words.lacks(shown.lacks)}</Text>}
    </>
  );
}

const amount = (value: number | undefined) => (value === undefined ? '' : texts.number(value));

/** What a node is doing; what is not known yet is not said. */
function State({ state }: { state: NodeRow['state'] }) {
  if (!state)
    return (
      <Text size="sm" c="dimmed" title={words.unknownHint}>
        {words.unknown}
      </Text>
    );
  return (
    <Text size="sm" title={state.status === 'held' ? words.heldHint : undefined}>
      {words.state[state.status]}
      {(state.count ?? 0) > 1 ? ` ${words.counter(state.done ?? 0, state.count!)}` : ''}
    </Text>
  );
}

interface Props {
  run: Schemas['Run'];
  rows: NodeRow[];
  chosen?: string;
  onChoose: (node: string) => void;
}

/** What each node is doing, and what it has taken: tasks, tokens, time. A node unfolds to its tasks. */
export function NodeTable({ run, rows, chosen, onChoose }: Props) {
  const { usage } = run;
  const currency = useServer().data?.currency;
  const costs = usage.cost !== undefined;
  const tasks = rows.reduce((sum, row) => sum + row.tasks, 0);
  const isKnown = rows.every((row) => row.state);
  const known = (count: number) => (isKnown ? amount(count) : words.unknown);
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table aria-label={words.title}>
        <Table.Thead>
          <Table.Tr>
            {[words.node, words.now, words.tasks, words.calls, words.input, words.output, ...(costs ? [words.cost] : []), words.time, words.longest].map((title) => <Table.Th key={title}>{title}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.node} className={row.node === chosen ? 'chosen' : undefined}>
              <Table.Td>
                <UnstyledButton className="as-link" aria-expanded={row.node === chosen} aria-label={words.show(row.node)} onClick={() => onChoose(row.node)}>
                  {row.node}
                </UnstyledButton>
              </Table.Td>
              <Table.Td>
                <State state={row.state} />
                {row.failed && (
                  <Anchor component={Link} to={runPath(run.id, 'tasks', row.failed.task)} size="sm" c="var(--mantine-color-error)">
                    {row.failed.code}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>
                {known(row.tasks)}
                {row.retried > 0 && <Text size="xs">{words.retried(row.retried)}</Text>}
              </Table.Td>
              <Table.Td>{amount(row.usage?.model_calls)}</Table.Td>
              <Table.Td>{amount(row.usage?.input_tokens)}</Table.Td>
              <Table.Td>{amount(row.usage?.output_tokens)}</Table.Td>
              {costs && (
                <Table.Td>
                  {row.usage && row.usage.cost === undefined ? <Text size="sm">{words.unknownCost}</Text> : <Cost usage={row.usage} currency={currency} />}
                </Table.Td>
              )}
              <Table.Td>{row.tasks > 0 ? duration(row.busyMs) : ''}</Table.Td>
              <Table.Td>{row.tasks > 0 ? duration(row.longestMs) : ''}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>{words.all}</Table.Th>
            <Table.Th>{words.ran(took(run.started_at, run.finished_at))}</Table.Th>
            <Table.Th>{known(tasks)}</Table.Th>
            <Table.Th>{amount(usage.model_calls)}</Table.Th>
            <Table.Th>{amount(usage.input_tokens)}</Table.Th>
            <Table.Th>{amount(usage.output_tokens)}</Table.Th>
            {costs && (
              <Table.Th>
                <Cost usage={usage} currency={currency} />
              </Table.Th>
            )}
            <Table.Th>{isKnown ? duration(rows.reduce((sum, row) => sum + row.busyMs, 0)) : words.unknown}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}
