import { Loader, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { Failure } from '../../components/Failure';
import { Question } from '../../components/Question';
import { assignments, useInterrupts } from '../../lib/queries';
import { texts as frame } from '../../texts';
import { texts } from './texts';

const all = 'all';

/** The open questions of all runs, or those of one person. */
export default function InboxPage() {
  const [search, setSearch] = useSearchParams();
  const assigned = assignments.find((it) => it === search.get('assigned'));
  const { data, error, refetch } = useInterrupts(assigned);
  return (
    <Stack maw={760}>
      <Title order={2}>{texts.title}</Title>
      <SegmentedControl
        aria-label={texts.whose}
        value={assigned ?? all}
        onChange={(value) => setSearch(value === all ? {} : { assigned: value })}
        data={[{ value: all, label: texts.all }, ...assignments.map((value) => ({ value, label: texts.assigned[value] }))]}
      />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loader role="progressbar" aria-label={frame.loading} />}
      {data?.items.length === 0 && <Text>{assigned ? texts.noneOf[assigned] : texts.none}</Text>}
      {data?.items.map((interrupt) => <Question key={interrupt.id} interrupt={interrupt} />)}
      {data?.next_cursor && <Text c="dimmed">{texts.more}</Text>}
    </Stack>
  );
}
