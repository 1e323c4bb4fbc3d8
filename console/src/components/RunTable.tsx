import { Anchor, Checkbox, Table, Text } from '@mantine/core';
import { memo, useCallback, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../api/client';
import { took, when } from '../lib/time';
import { texts } from '../texts';
import { RunStatus } from './RunStatus';

const words = texts.runs;

interface Props {
  runs: Schemas['RunSummary'][];
  selected?: ReadonlySet<string>;
  onSelect?: (id: string, chosen: boolean) => void;
}

/** Drawn again only when the run or its choice changes: a list has up to two thousand. */
const Row = memo(function Row({ run, chosen, onSelect }: { run: Schemas['RunSummary']; chosen: boolean; onSelect?: Props['onSelect'] }) {
  return (
    <Table.Tr>
      {onSelect && (
        <Table.Td>
          <Checkbox
            aria-label={words.choose(run.id)}
            checked={chosen}
            onChange={(event) => onSelect(run.id, event.currentTarget.checked)}
          />
        </Table.Td>
      )}
      <Table.Td>
        <Anchor component={Link} to={`/runs/${encodeURIComponent(run.id)}`} ff="monospace" size="sm" className="cut" title={run.id}>
          {run.id}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <RunStatus status={run.status} />
        {run.error && (
          <Text size="xs" c="dimmed">
            {run.error.code}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="cut" title={run.graph}>
          {`${run.graph} v${run.version}`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{run.superstep}</Table.Td>
      <Table.Td>
        <Text size="sm">{when(run.created_at)}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{took(run.started_at, run.finished_at)}</Table.Td>
    </Table.Tr>
  );
});

/** Runs as rows, each a link to its page. */
export function RunTable({ runs, selected, onSelect }: Props) {
  const latest = useRef(onSelect);
  useEffect(() => {
    latest.current = onSelect;
  });
  const select = useCallback((id: string, chosen: boolean) => latest.current?.(id, chosen), []);
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {onSelect && <Table.Th aria-label={words.chosen} />}
            <Table.Th>{words.run}</Table.Th>
            <Table.Th>{words.status}</Table.Th>
            <Table.Th>{words.graph}</Table.Th>
            <Table.Th visibleFrom="sm">{words.supersteps}</Table.Th>
            <Table.Th>{words.created}</Table.Th>
            <Table.Th visibleFrom="sm">{words.took}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Row key={run.id} run={run} chosen={selected?.has(run.id) ?? false} onSelect={onSelect && select} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
