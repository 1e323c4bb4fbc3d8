import { ActionIcon, Anchor, AppShell, Badge, Burger, Group, Loader, NavLink, Title, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconHome, IconApi, IconCalendarClock, IconInbox, IconKey, IconListDetails, IconLogout, IconMessages, IconMoon, IconSchema, IconSun, IconTools, IconWebhook } from '@tabler/icons-react';
import { Suspense } from 'react';
import { NavLink as RouterLink, useLocation } from 'react-router';
import { KeyDialog } from './components/KeyDialog';
import { PageBoundary } from './components/PageBoundary';
import { SignInFailure } from './components/SignInFailure';
import { apiKey, useApiKey } from './lib/key';
import { lacking, useMay, useServer } from './lib/server';
import { signOut, useSignedIn } from './lib/session';
import { Pages } from './routes';
import { texts } from './texts';

const sections = [
  { to: '/', label: texts.navigation.home, icon: IconHome },
  { to: '/runs', label: texts.navigation.runs, icon: IconListDetails },
  { to: '/inbox', label: texts.navigation.inbox, icon: IconInbox },
  { to: '/graphs', label: texts.navigation.graphs, icon: IconSchema },
  { to: '/threads', label: texts.navigation.threads, icon: IconMessages },
  { to: '/schedules', label: texts.navigation.schedules, icon: IconCalendarClock },
  { to: '/webhooks', label: texts.navigation.webhooks, icon: IconWebhook, needs: 'admin' },
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

/** Why buttons are missing: what the key of this tab may do, where that is not everything. */
function Access() {
  const { data } = useServer();
  const lacks = lacking(data?.scopes ?? []);
  if (!data || lacks.length === 0) return null;
  const reason = texts.access.lacks(lacks);
  return (
    <Tooltip label={reason} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge component="span" color="gray" tabIndex={0} role="note" aria-label={reason}>
        {data.scopes.length === 1 && data.scopes[0] === 'read' ? texts.access.readOnly : texts.access.only(data.scopes)}
      </Badge>
    </Tooltip>
  );
}

function SignOut() {
  if (!useSignedIn()) return null;
  const leave = () => signOut().catch(() => notifications.show({ color: 'red', message: texts.signIn.stays }));
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={texts.signIn.out} onClick={() => void leave()}>
      <IconLogout size={18} />
    </ActionIcon>
  );
}

/** The frame around every page: navigation, colours, the key. */
export function App() {
  const [open, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const { asked } = useApiKey();
  const administers = useMay('admin');
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
          <Group gap="xs" wrap="nowrap">
            <Access />
            <ActionIcon variant="subtle" color="gray" aria-label={texts.key.change} onClick={apiKey.ask}>
              <IconKey size={18} />
            </ActionIcon>
            <ColorSwitch />
            <SignOut />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.product}>
        {sections.filter((it) => administers || !('needs' in it)).map(({ to, label, icon: Icon }) => (
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
        <NavLink component="a" href="/swagger-ui.html" label={texts.navigation.api} leftSection={<IconApi size={18} aria-hidden />} />
      </AppShell.Navbar>
      <AppShell.Main id="content">
        {!asked && <SignInFailure />}
        <PageBoundary key={pathname.split('/')[1]}>
          <Suspense fallback={<Loader role="progressbar" aria-label={texts.loading} />}>
            <Pages />
          </Suspense>
        </PageBoundary>
      </AppShell.Main>
      <KeyDialog />
    </AppShell>
  );
}
