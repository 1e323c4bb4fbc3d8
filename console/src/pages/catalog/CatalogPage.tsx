import { Title } from '@mantine/core';

export default function CatalogPage() {
  return <Title order={2}>Catalog</Title>;
}
