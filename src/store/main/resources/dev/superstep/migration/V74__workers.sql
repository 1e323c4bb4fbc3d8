-- Keys whose bearers execute tasks of some types only. Their digests say so: a release before, which would not look at
-- the types, takes no such key.
alter table api_key add column task_types text[] not null default '{}';
comment on column api_key.task_types is 'Patterns of types of tasks; empty: all.';

-- Tasks that sleep within their code wait in a state of their own, with the time in `start_until`. Releases before leave
-- them alone: their next worker gets them from a replica of this one.
create index task_sleeping on task (start_until) where state = 'sleeping';
