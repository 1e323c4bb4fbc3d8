-- Whether a person's edit has made the first checkpoint of a run, which did not go on then: clients of the LangGraph
-- Agent Server see it as source 'update'. Runs from before, and those that release N-1 inserts, have 'fork' there.
alter table run add column edited boolean not null default false;
comment on column run.edited is 'Whether its first checkpoint is an edit of its thread''s state.';
