-- Runs that are paused. A replica of a release before neither reads nor writes the column: a run that it drives goes on until a
-- replica of this release drives it. At rest a paused run stands at a breakpoint, which every release knows and a resume passes.
alter table run add column pause_superstep integer;

comment on column run.pause_superstep is 'A committed superstep from which on the run does not go on by itself; null: it does.';
