import { Button, Code, Stack } from '@mantine/core';
import { useState } from 'react';

const shown = 2_000;

/** A value as text, cut when it is long, with a way to see all of it. */
export function JsonValue({ value, label }: { value: unknown; label?: string }) {
  const [all, setAll] = useState(false);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2) ?? 'null';
  const cut = !all && text.length > shown;
  return (
    <Stack gap={4} align="stretch">
      <Code block aria-label={label} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {cut ? `${text.slice(0, shown)}…` : text}
      </Code>
      {cut && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          {`Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      )}
    </Stack>
  );
}
