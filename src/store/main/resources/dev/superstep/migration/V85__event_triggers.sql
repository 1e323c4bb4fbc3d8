-- Events from outside start runs, too. Releases before deliver an event to the tasks that wait for it and start no run; replicas
-- of this one do that for them, also for events that those take: the default says so. They answer 500 at the address of a
-- webhook that has the name of such a trigger, which nobody is told.
alter table inbound_hook alter column scheme drop not null, alter column secret drop not null,
  add column event text collate "C";
create index inbound_hook_event on inbound_hook (tenant_of(graph), event) where event is not null;
create index inbound_hook_of_tenant on inbound_hook (tenant_of(graph), graph, trigger);

comment on table inbound_hook is 'Webhooks and events that start runs, as the newest versions of graphs declare them.';
comment on column inbound_hook.scheme is 'Who signs it; null: it is an event.';
comment on column inbound_hook.event is 'The type of the events, where there is no scheme.';

alter table incoming_event add column starts_at timestamptz, add column started text[] not null default '{}';
alter table incoming_event alter column starts_at set default now();
create index incoming_event_starting on incoming_event (starts_at) where starts_at is not null;

comment on column incoming_event.starts_at is 'When to look which runs it starts; null: none any more.';
comment on column incoming_event.started is 'The triggers that it has started, or that have refused it.';

-- Lists, and how many there are.
create index run_schedule_of_tenant on run_schedule (tenant_of(id), id);
