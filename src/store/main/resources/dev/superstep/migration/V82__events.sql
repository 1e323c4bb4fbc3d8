-- Events from outside (E50), and which runs have taken which: each once. A task that waits for one is a callback whose
-- type names it. Releases before know nothing of them.
create table incoming_event (
  id          text collate "C" primary key,
  type        text collate "C" not null,
  content     bytea            not null,
  received_at timestamptz      not null,
  expires_at  timestamptz      not null,
  delivered   boolean          not null
);

create index incoming_event_kept on incoming_event (tenant_of(id), type, received_at, id);
create index incoming_event_undelivered on incoming_event (received_at) where not delivered;
create index incoming_event_of_tenant on incoming_event (tenant_of(id), expires_at);
create index incoming_event_expired on incoming_event (expires_at);

create table taken_event (
  run   text collate "C" not null references run (id) on delete cascade,
  event text collate "C" not null references incoming_event (id) on delete cascade,
  task  text collate "C" not null,
  primary key (run, event)
);

create index taken_event_event on taken_event (event);

-- Who waits for an event.
create index task_expecting on task (tenant_of(id), type, id) where state = 'awaited' and type <> '@callback';

comment on table incoming_event is 'Events from outside, kept for the runs that will wait for them.';
comment on column incoming_event.id is 'A hash of source and id, of the tenant.';
comment on column incoming_event.expires_at is 'No run that begins to wait later takes it.';
comment on column incoming_event.delivered is 'Every run that waited when it came has been looked at.';
comment on column taken_event.task is 'Which of its tasks: that one may take it again, once the run is resumed.';
comment on table taken_event is 'Which runs have taken which events.';
