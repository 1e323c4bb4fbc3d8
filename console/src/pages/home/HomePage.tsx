import { Title } from '@mantine/core';

export default function HomePage() {
  return <Title order={2}>Home</Title>;
}
