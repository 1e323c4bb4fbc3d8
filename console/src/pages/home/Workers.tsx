import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api/client';
import { when } from '../../lib/time';
import { texts } from './texts';

const words = texts.workers;
const shown = 5;

/** Who has tasks of a type, the last one to claim first. */
export function names(workers: Schemas['BusyWorker'][]): string {
  const some = workers.slice(0, shown).map((it) => `${it.name ?? words.unnamed} (${it.tasks})`);
  return [...some, ...(workers.length > shown ? [words.more(workers.length - shown)] : [])].join(', ');
}

/** What waits for workers and who works, where anything does. */
export function Workers() {
  const { data } = useQuery({
    queryKey: ['queues'],
    queryFn: () => unwrap(api.GET('/v1/tasks/queues')),
    refetchInterval: 3_000,
  });
  if (!data?.items?.length) return null;
  return (
    <Stack component="section" aria-label={words.title} gap="xs">
      <Title order={3} size="h4">
        {words.title}
      </Title>
      <Table.ScrollContainer minWidth={600}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {words.columns.map((it) => (
                <Table.Th key={it}>{it}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((it) => (
              <Table.Tr key={it.type}>
                <Table.Td ff="monospace">{it.type}</Table.Td>
                <Table.Td>{it.queued}</Table.Td>
                <Table.Td>{when(it.waiting_since)}</Table.Td>
                <Table.Td>{it.claimed}</Table.Td>
                <Table.Td>
                  <Text size="sm">{it.workers.length > 0 ? names(it.workers) : words.nobody}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
