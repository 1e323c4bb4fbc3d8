import { Loader, Stack, Text, Title } from '@mantine/core';
import { Failure } from '../../components/Failure';
import { Question } from '../../components/Question';
import { useInterrupts } from '../../lib/queries';
import { texts } from '../../texts';

/** The open questions of all runs. */
export default function InboxPage() {
  const { data, error, refetch } = useInterrupts();
  return (
    <Stack maw={760}>
      <Title order={2}>Inbox</Title>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loader aria-label={texts.loading} />}
      {data?.items.length === 0 && <Text>No run asks anything. A question of a node of type human appears here, and stays until it is answered or expires.</Text>}
      {data?.items.map((interrupt) => <Question key={interrupt.id} interrupt={interrupt} />)}
      {data?.next_cursor && <Text c="dimmed">There are more questions. They appear when these are answered.</Text>}
    </Stack>
  );
}
