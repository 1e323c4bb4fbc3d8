import { Button, Code, Group, Stack } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { preview, rowStarts } from '../lib/size';
import { texts } from '../texts';

const shown = 2_000;
/** Up to here a text is one block; a longer one is drawn as rows, only those that are on the screen. */
const blockMax = 100_000;
const columns = 200;
// Browsers place nothing below some 33 million pixels.
const rowsMax = 1_500_000;
const rowHeight = 20;

function Rows({ text, label }: { text: string; label?: string }) {
  const box = useRef<HTMLDivElement>(null);
  const starts = useMemo(() => rowStarts(text, columns, rowsMax), [text]);
  const rows = useVirtualizer({ count: starts.length, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 20 });
  return (
    <div ref={box} className="rows tall written-rows" tabIndex={0} role="region" aria-label={label ?? texts.value.all}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((row) => (
          <div key={row.key} className="row" style={{ transform: `translateY(${row.start}px)` }}>
            {text.slice(starts[row.index], starts[row.index + 1] ?? text.length)}
          </div>
        ))}
      </div>
    </div>
  );
}

function save(text: string, label: string | undefined) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `${(label ?? 'value').replace(/[^A-Za-z0-9_-]+/g, '-')}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null');
}

/** A value as text, cut when it is long, with ways to see all of it; costs no more than what is seen of it. */
export function JsonValue({ value, label, opened }: { value: unknown; label?: string; opened?: boolean }) {
  const [open, setOpen] = useState<unknown>(opened ? value : undefined);
  const start = useMemo(() => preview(value, shown), [value]);
  const all = open !== undefined && open === value;
  const text = useMemo(() => (all ? written(value) : start.text), [all, value, start]);
  return (
    <Stack gap={4} align="stretch">
      {text.length > blockMax ? (
        <Rows text={text} label={label} />
      ) : (
        <Code block aria-label={label} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {start.whole || all ? text : `${text}…`}
        </Code>
      )}
      {!start.whole && (
        <Group gap="xs">
          <Button size="compact-xs" variant="subtle" aria-expanded={all} onClick={() => setOpen(all ? undefined : value)}>
            {all ? texts.value.less : texts.value.all}
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => save(written(value), label)}>
            {texts.value.save}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
