import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Link, Route, Routes } from 'react-router';
import { Allowed } from '../../components/Allowed';
import { Failure } from '../../components/Failure';
import { useGraphs } from '../../lib/queries';
import { when } from '../../lib/time';
import { EditGraph } from './EditGraph';
import { Graph } from './Graph';
import { texts } from './texts';

function List() {
  const graphs = useGraphs();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{texts.graphs}</Title>
        <Allowed scope="author">
          <Button component={Link} to="/graphs/new" size="xs">
            {texts.create}
          </Button>
        </Allowed>
      </Group>
      {graphs.error && <Failure error={graphs.error} retry={() => void graphs.refetch()} />}
      {graphs.data?.items.length === 0 && <Text>{texts.none}</Text>}
      {graphs.data && graphs.data.items.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.columns.graph}</Table.Th>
              <Table.Th>{texts.columns.version}</Table.Th>
              <Table.Th>{texts.columns.posted}</Table.Th>
              <Table.Th>{texts.columns.warnings}</Table.Th>
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
        </Table.ScrollContainer>
      )}
      {graphs.data?.next_cursor && <Text c="dimmed">{texts.cut}</Text>}
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
