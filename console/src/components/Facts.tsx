import { Stack, Text } from '@mantine/core';
import { JsonValue } from './JsonValue';

const textMax = 2_000;
const depthMax = 3;

/** A name as people read it: `due_date` is *due date*. */
const readable = (name: string) => name.replaceAll('_', ' ');

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function Fact({ value, label, depth }: { value: unknown; label: string; depth: number }) {
  if (isObject(value) && depth < depthMax) return <Facts facts={Object.entries(value)} label={label} depth={depth + 1} />;
  const text = typeof value === 'string' ? value : typeof value === 'object' ? undefined : String(value);
  return text === undefined || text.length > textMax ? (
    <JsonValue value={value} label={label} />
  ) : (
    <Text size="sm" className="written" aria-label={label || undefined} role={label ? 'group' : undefined}>
      {text}
    </Text>
  );
}

/** Values by their names, in words where they are words. */
export function Facts({ facts, label, depth = 1 }: { facts: [string, unknown][]; label: string; depth?: number }) {
  if (facts.length === 0) return null;
  return (
    <Stack gap={6} role="group" aria-label={label} pl={depth > 1 ? 'sm' : undefined}>
      {facts.map(([name, value]) => (
        <div key={name}>
          {name !== '' && (
            <Text size="xs" c="dimmed">
              {readable(name)}
            </Text>
          )}
          <Fact value={value} label={name} depth={depth} />
        </div>
      ))}
    </Stack>
  );
}
