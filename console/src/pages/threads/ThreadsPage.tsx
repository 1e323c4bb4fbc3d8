import { Title } from '@mantine/core';

export default function ThreadsPage() {
  return <Title order={2}>Threads</Title>;
}
