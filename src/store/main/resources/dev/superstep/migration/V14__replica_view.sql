-- The names of the members of the cluster, for statements that may take effect only for a member.
-- A view and no function: the planner expands it, so that it costs what reading the row costs.
create view replica as
  select task_instance as name from scheduled_duties where task_name = 'replica';
comment on view replica is
  'Replicas that are alive, or not known to be dead yet. The rows are those of the scheduler.';
