import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Link, Route, Routes } from 'react-router';
import { Failure } from '../../components/Failure';
import { useGraphs } from '../../lib/queries';
import { when } from '../../lib/time';
import { EditGraph } from './EditGraph';
import { Graph } from './Graph';

function List() {
  const graphs = useGraphs();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>Graphs</Title>
        <Button component={Link} to="/graphs/new" size="xs">
          New graph
        </Button>
      </Group>
      {graphs.error && <Failure error={graphs.error} retry={() => void graphs.refetch()} />}
      {graphs.data?.items.length === 0 && <Text>There is no graph yet. Write one, or run the example on the home page.</Text>}
      {graphs.data && graphs.data.items.length > 0 && (
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Graph</Table.Th>
              <Table.Th>Newest version</Table.Th>
              <Table.Th>Posted</Table.Th>
              <Table.Th>Warnings</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {graphs.data.items.map((graph) => (
              <Table.Tr key={graph.name}>
                <Table.Td>
                  <Anchor component={Link} to={`/graphs/${graph.name}`} className="cut">
                    {graph.name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{graph.version}</Table.Td>
                <Table.Td>{when(graph.created_at)}</Table.Td>
                <Table.Td>{graph.warnings.length || ''}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {graphs.data?.next_cursor && <Text c="dimmed">These are the newest 200 graphs.</Text>}
    </Stack>
  );
}

/** Graphs: their list, one with its versions, and the editor. */
export default function GraphsPage() {
  return (
    <Routes>
      <Route index element={<List />} />
      <Route path="new" element={<EditGraph />} />
      <Route path=":name" element={<Graph />} />
      <Route path=":name/versions/:version" element={<Graph />} />
      <Route path=":name/versions/:version/edit" element={<EditGraph />} />
      <Route path=":name/versions/:version/:tab" element={<Graph />} />
    </Routes>
  );
}
