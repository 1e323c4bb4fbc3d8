import { Loader, Stack, Text, Title } from '@mantine/core';
import { Failure } from '../../components/Failure';
import { Question } from '../../components/Question';
import { useInterrupts } from '../../lib/queries';
import { texts as frame } from '../../texts';
import { texts } from './texts';

/** The open questions of all runs. */
export default function InboxPage() {
  const { data, error, refetch } = useInterrupts();
  return (
    <Stack maw={760}>
      <Title order={2}>{texts.title}</Title>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loader role="progressbar" aria-label={frame.loading} />}
      {data?.items.length === 0 && <Text>{texts.none}</Text>}
      {data?.items.map((interrupt) => <Question key={interrupt.id} interrupt={interrupt} />)}
      {data?.next_cursor && <Text c="dimmed">{texts.more}</Text>}
    </Stack>
  );
}
