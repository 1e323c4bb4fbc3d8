import { Title } from '@mantine/core';

export default function RunPage() {
  return <Title order={2}>Run</Title>;
}
