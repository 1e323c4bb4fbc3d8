import { Anchor, Checkbox, Table, Text } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
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

/** Longer lists draw only the rows that are on the screen or near it. */
const virtualFrom = 100;
const rowHeight = 46;

interface RowProps {
  run: Schemas['RunSummary'];
  index: number;
  chosen: boolean;
  onSelect?: Props['onSelect'];
  measure?: (row: Element | null) => void;
}

/** Drawn again only when the run, its place or its choice changes. */
const Row = memo(function Row({ run, index, chosen, onSelect, measure }: RowProps) {
  return (
    <Table.Tr ref={measure} data-index={index} aria-rowindex={index + 2}>
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
        <Text size="sm" className="one-line">{when(run.created_at)}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="one-line">
        {took(run.started_at, run.finished_at)}
      </Table.Td>
    </Table.Tr>
  );
});

/** Which rows to draw, and how much room those before and behind them take. */
function useRows(runs: Props['runs']) {
  const box = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const virtual = runs.length > virtualFrom;
  useLayoutEffect(() => {
    if (virtual && box.current) setScrollMargin(Math.round(box.current.getBoundingClientRect().top + window.scrollY));
  }, [virtual]);
  const rows = useWindowVirtualizer({ count: runs.length, enabled: virtual, estimateSize: () => rowHeight, overscan: 20, scrollMargin, getItemKey: (index) => runs[index]!.id });
  if (!virtual) return { box, shown: runs.map((_, index) => index), before: 0, behind: 0 };
  const shown = rows.getVirtualItems();
  return {
    box,
    measure: rows.measureElement,
    shown: shown.map((row) => row.index),
    before: (shown[0]?.start ?? scrollMargin) - scrollMargin,
    behind: shown.length ? rows.getTotalSize() + scrollMargin - shown.at(-1)!.end : rows.getTotalSize(),
  };
}

function Space({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />;
}

/** Runs as rows, each a link to its page; two thousand are as quick as fifty. */
export function RunTable({ runs, selected, onSelect }: Props) {
  const latest = useRef(onSelect);
  useEffect(() => {
    latest.current = onSelect;
  });
  const select = useCallback((id: string, chosen: boolean) => latest.current?.(id, chosen), []);
  const { box, measure, shown, before, behind } = useRows(runs);
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover aria-rowcount={runs.length + 1}>
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
        <Table.Tbody ref={box}>
          <Space height={before} />
          {shown.map((index) => {
            const run = runs[index]!;
            return <Row key={run.id} run={run} index={index} chosen={selected?.has(run.id) ?? false} onSelect={onSelect && select} measure={measure} />;
          })}
          <Space height={behind} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
