-- Runs that tasks of other runs have begun and wait for (E41). Apart from the head, which every run
-- has and every superstep updates.
create table child_run (
  child       text collate "C" primary key references run (id) on delete cascade,
  parent      text collate "C" not null,
  root        text collate "C" not null,  -- the outermost of its parents
  depth       integer          not null,  -- 1: the child of a run that has no parent
  superstep   integer          not null,  -- of the parent, with
  node        text collate "C" not null,  -- the task that waits
  dispatch_id text,
  number      integer          not null,  -- among the children of that task, from 1
  wakes_below integer          not null,  -- its success wakes the parent when so many of its node move
  told_seq    bigint           not null default 0,      -- event of the child that the parent knows of
  settled     boolean          not null default false,  -- and that was its end
  given_up    boolean          not null default false   -- it cannot go on: a resume begins another
);
comment on table child_run is 'Which task of which run waits for a run.';
create index child_run_parent on child_run (parent, superstep);
create index child_run_root on child_run (root);

-- Those whose end may still have to be told.
create index child_run_unsettled on child_run (child) where not settled;
