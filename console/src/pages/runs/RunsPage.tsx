import { Title } from '@mantine/core';

export default function RunsPage() {
  return <Title order={2}>Runs</Title>;
}
