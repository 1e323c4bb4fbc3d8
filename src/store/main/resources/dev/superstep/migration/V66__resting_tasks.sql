-- Tasks of failed runs leave the queues until these are resumed: no claim walks over them. What no worker was heard of
-- after its claim is not held against the task so soon. A further word is no new demand on the release before: the
-- check of words goes.
alter table task drop constraint task_state;
alter table task add column heard boolean not null default false;
alter table task add column lost integer not null default 0;

create index task_resting on task (run) where state = 'resting';

comment on column task.heard is 'Whether its worker was heard of since the claim.';
comment on column task.lost is 'How many workers were lost with it that had been heard of.';
