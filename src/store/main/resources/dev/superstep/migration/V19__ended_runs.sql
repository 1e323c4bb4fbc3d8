-- Runs that have ended, by graph and status, the longest ended first: what retention walks over.
-- The predicate is one that a query on finished_at implies, whatever its parameters. A superstep
-- leaves finished_at null, so that its update stays on the page.
create index run_ended on run (graph, status, finished_at, id) where finished_at is not null;
