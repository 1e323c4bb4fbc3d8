import { lazy } from 'react';
import { Route, Routes } from 'react-router';
import { texts } from './texts';

const Home = lazy(() => import('./pages/home/HomePage'));
const Runs = lazy(() => import('./pages/runs/RunsPage'));
const Run = lazy(() => import('./pages/run/RunPage'));
const Inbox = lazy(() => import('./pages/inbox/InboxPage'));
const Threads = lazy(() => import('./pages/threads/ThreadsPage'));
const Graphs = lazy(() => import('./pages/graphs/GraphsPage'));
const Schedules = lazy(() => import('./pages/schedules/SchedulesPage'));
const Webhooks = lazy(() => import('./pages/webhooks/WebhooksPage'));
const Catalog = lazy(() => import('./pages/catalog/CatalogPage'));

/** The address of every page; what follows after `/*` is the page's own affair. */
export function Pages() {
  return (
    <Routes>
      <Route path="/" element={<Home />} />
      <Route path="/runs" element={<Runs />} />
      <Route path="/runs/:id/*" element={<Run />} />
      <Route path="/inbox/*" element={<Inbox />} />
      <Route path="/threads/*" element={<Threads />} />
      <Route path="/graphs/*" element={<Graphs />} />
      <Route path="/schedules/*" element={<Schedules />} />
      <Route path="/webhooks/*" element={<Webhooks />} />
      <Route path="/catalog/*" element={<Catalog />} />
      <Route path="*" element={<p>{texts.notFound}</p>} />
    </Routes>
  );
}
