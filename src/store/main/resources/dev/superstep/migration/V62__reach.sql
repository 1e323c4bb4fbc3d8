-- Keys that are limited to some graphs, and to what their bearers have made. Their digests say so:
-- a release before, which would not look at the limits, takes no such key.
alter table api_key add column graphs text[] not null default '{}';
alter table api_key add column own_only boolean not null default false;
comment on column api_key.graphs is 'Patterns of names; empty: all graphs of the tenant.';

-- Null: nobody, or not known.
alter table thread add column owner text collate "C";
comment on column thread.owner is 'The caller that made it, by a call or by its first run.';

-- Lists of what one caller has made; without keys there is none.
create index thread_owner on thread (owner, created_at desc, id desc) where owner is not null;
create index run_caller_created on run (caller, created_at desc, id desc) where caller <> '';
