import { Title } from '@mantine/core';

export default function InboxPage() {
  return <Title order={2}>Inbox</Title>;
}
