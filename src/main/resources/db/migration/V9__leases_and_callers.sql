-- By which lease a replica is judged: its own. Rows of releases that do not write it have the lease
-- that was the default then.
alter table scheduled_duties add column lease_ms bigint not null default 6000;
comment on column scheduled_duties.lease_ms is
  'Of a replica: it is dead when its heartbeat is older. Without meaning for duties.';
