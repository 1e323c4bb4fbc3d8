import { Badge, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { JsonValue } from '../../components/JsonValue';
import { places, type Difference, type Place } from '../../lib/diff';
import { sizeOf } from '../../lib/size';
import type { CutDifference } from '../../lib/states';
import type { StatePlace } from './live';
import { LargeValue, Whole } from './StateValue';
import { texts } from './texts';

const marks = { added: 'green', changed: 'blue', removed: 'red' };
const besideMax = 1_500;
const placesMax = 50;
const words = texts.travel;

/** Where the two states of a difference are. */
interface StatePlaces {
  before: StatePlace;
  after: StatePlace;
}

function Both({ change, name }: { change: Pick<Difference, 'kind' | 'before' | 'after'>; name: string }) {
  return (
    <SimpleGrid cols={change.kind === 'changed' ? { base: 1, md: 2 } : 1}>
      {change.kind !== 'added' && <JsonValue value={change.before} label={words.before(name)} />}
      {change.kind !== 'removed' && <JsonValue value={change.after} label={words.after(name)} />}
    </SimpleGrid>
  );
}

/** The places within a large channel that differ. */
function Places({ channel, found }: { channel: string; found: Place[] }) {
  return (
    <Stack gap="xs">
      {found.map((place) => (
        <div key={place.pointer}>
          <Group gap="xs">
            <Badge color={marks[place.kind]}>{words.kinds[place.kind]}</Badge>
            <Text size="sm" ff="monospace" className="whole">
              {place.pointer}
            </Text>
          </Group>
          <Both change={place} name={`${channel}${place.pointer}`} />
        </div>
      ))}
      {found.length === placesMax && <Text size="sm">{words.placesFirst(placesMax)}</Text>}
    </Stack>
  );
}

/** A channel of which a side is large: what became of one that is new or gone is read on request, of one that differs at once. */
function LargeChange({ change, at }: { change: CutDifference; at: StatePlaces }) {
  const { channel, kind, omitted } = change;
  if (kind === 'changed') {
    const sides = [
      { at: at.before, omitted: omitted?.before, value: change.before },
      { at: at.after, omitted: omitted?.after, value: change.after },
    ];
    return (
      <Whole channel={channel} sides={sides}>
        {(before, after) => <Change change={{ channel, kind, before, after }} />}
      </Whole>
    );
  }
  const [side, label] = kind === 'added' ? (['after', words.after(channel)] as const) : (['before', words.before(channel)] as const);
  return (
    <Card withBorder>
      <Group gap="xs" mb="xs">
        <Badge color={marks[kind]}>{words.kinds[kind]}</Badge>
        <Text fw={600}>{channel}</Text>
      </Group>
      <LargeValue at={at[side]} omitted={omitted![side]!} label={label} />
    </Card>
  );
}

function Change({ change }: { change: Difference }) {
  const [whole, setWhole] = useState(false);
  const large = useMemo(() => change.kind === 'changed' && (sizeOf(change.before, besideMax) > besideMax || sizeOf(change.after, besideMax) > besideMax), [change]);
  const found = useMemo(() => (large ? places(change.before, change.after, placesMax) : []), [large, change]);
  // A text, or another kind of value: there is no place within it to point at.
  const split = large && !whole && found.every((place) => place.pointer !== '');
  return (
    <Card withBorder>
      <Group gap="xs" mb="xs">
        <Badge color={marks[change.kind]}>{words.kinds[change.kind]}</Badge>
        <Text fw={600}>{change.channel}</Text>
        {split && (
          <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
            {words.whole}
          </Button>
        )}
      </Group>
      {split ? <Places channel={change.channel} found={found} /> : <Both change={change} name={change.channel} />}
    </Card>
  );
}

/** What differs between two states: small channels as they were and are, of large ones the places. */
export function Changes({ changes, at }: { changes: CutDifference[]; at: StatePlaces }) {
  return changes.map((change) => (change.omitted ? <LargeChange key={change.channel} change={change} at={at} /> : <Change key={change.channel} change={change} />));
}
