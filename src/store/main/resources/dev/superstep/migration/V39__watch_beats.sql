-- Each round of a replica's watch counts in its row. A count that is not above the one before says
-- that the database has gone back, or that nothing can be written. A time would not do: replicas
-- compute it, and a late answer moved it back.
alter table scheduled_duties add column beats bigint not null default 0;
comment on column scheduled_duties.beats is
  'Of a replica: rounds of its watch. Without meaning for duties.';
