import { ActionIcon, Anchor, AppShell, Burger, Group, Loader, NavLink, Title, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHome, IconInbox, IconListDetails, IconMessages, IconMoon, IconSchema, IconSun, IconTools } from '@tabler/icons-react';
import { Suspense } from 'react';
import { NavLink as RouterLink, useLocation } from 'react-router';
import { KeyDialog } from './components/KeyDialog';
import { PageBoundary } from './components/PageBoundary';
import { Pages } from './routes';
import { texts } from './texts';

const sections = [
  { to: '/', label: texts.navigation.home, icon: IconHome },
  { to: '/runs', label: texts.navigation.runs, icon: IconListDetails },
  { to: '/inbox', label: texts.navigation.inbox, icon: IconInbox },
  { to: '/graphs', label: texts.navigation.graphs, icon: IconSchema },
  { to: '/threads', label: texts.navigation.threads, icon: IconMessages },
  { to: '/catalog', label: texts.navigation.catalog, icon: IconTools },
];

function ColorSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={texts.toggleColors}
      onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
    >
      {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

/** The frame around every page: navigation, colours, the key. */
export function App() {
  const [open, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  return (
    <AppShell header={{ height: 52 }} navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !open } }} padding="md">
      <AppShell.Header>
        <Anchor href="#content" className="skip-link">
          {texts.skipToContent}
        </Anchor>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={open} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={texts.toggleNavigation} />
            <img src="/icon.svg" alt="" width={26} height={26} />
            <Title order={1} size="h4">
              {texts.product}
            </Title>
          </Group>
          <ColorSwitch />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.product}>
        {sections.map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            component={RouterLink}
            to={to}
            label={label}
            leftSection={<Icon size={18} aria-hidden />}
            active={to === '/' ? pathname === '/' : pathname.startsWith(to)}
            onClick={close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <PageBoundary key={pathname.split('/')[1]}>
          <Suspense fallback={<Loader aria-label={texts.loading} />}>
            <Pages />
          </Suspense>
        </PageBoundary>
      </AppShell.Main>
      <KeyDialog />
    </AppShell>
  );
}
