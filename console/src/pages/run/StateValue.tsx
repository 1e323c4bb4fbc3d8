import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { indented, type Omitted } from '../../lib/states';
import { texts as frame } from '../../texts';
import { useChannel, type StatePlace } from './live';
import { texts } from './texts';

interface Props {
  at: StatePlace;
  omitted: Omitted;
  label: string;
}

/** A large value of a state: how it begins, and all of it when somebody asks for it. */
export function LargeValue({ at, omitted, label }: Props) {
  const [asked, setAsked] = useState(false);
  const whole = useChannel(at, omitted.channel, asked);
  const begin = useMemo(() => indented(omitted.begin), [omitted.begin]);
  if (asked && whole.data) return <JsonValue value={whole.data.value} label={label} opened />;
  return (
    <Stack gap={4} align="stretch">
      <Code block aria-label={label} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {`${begin}…`}
      </Code>
      <Group gap="xs">
        <Button size="compact-xs" variant="subtle" loading={asked && whole.isFetching} onClick={() => (asked ? void whole.refetch() : setAsked(true))}>
          {frame.value.all}
        </Button>
        <Text size="xs" c="dimmed">
          {texts.travel.size(omitted.size)}
        </Text>
      </Group>
      {whole.error && <Failure error={whole.error} />}
    </Stack>
  );
}

/** A state, its large values apart from the others. */
export function StateValue({ at, state, omitted = [], label }: { at: StatePlace; state: Record<string, unknown>; omitted?: Omitted[]; label: string }) {
  return (
    <Stack gap="sm">
      <JsonValue value={state} label={label} />
      {omitted.map((it) => (
        <div key={it.channel}>
          <Text fw={600} size="sm">
            {it.channel}
          </Text>
          <LargeValue at={at} omitted={it} label={texts.travel.valueOf(it.channel)} />
        </div>
      ))}
    </Stack>
  );
}

/** Reads what was left out of a change, and hands both sides on. */
export function Whole({ channel, sides, children }: { channel: string; sides: { at: StatePlace; omitted?: Omitted; value: unknown }[]; children: (before: unknown, after: unknown) => React.ReactNode }) {
  const [before, after] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const [one, other] = [useChannel(before.at, channel, before.omitted !== undefined), useChannel(after.at, channel, after.omitted !== undefined)];
  const failed = one.error ?? other.error;
  if (failed) return <Failure error={failed} />;
  if ((before.omitted && !one.data) || (after.omitted && !other.data)) return <Loader size="sm" aria-label={frame.loading} />;
  return children(before.omitted ? one.data?.value : before.value, after.omitted ? other.data?.value : after.value);
}
