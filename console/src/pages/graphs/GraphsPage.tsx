import { Title } from '@mantine/core';

export default function GraphsPage() {
  return <Title order={2}>Graphs</Title>;
}
