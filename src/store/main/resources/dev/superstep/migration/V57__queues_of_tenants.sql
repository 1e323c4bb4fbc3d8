-- Whose turn it is, where tenants share the server: the tenants that have queued runs, the callers of each, the graphs of
-- each caller, the next run of a graph. The index run_queued_by_caller stays for replicas of the release before.
create index run_queued_by_tenant
    on run (tenant_of(id), caller, graph, priority desc, coalesce(queued_at, created_at), id)
 where status = 'queued' and wakes_at is null;
