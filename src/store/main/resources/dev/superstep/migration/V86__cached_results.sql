-- Results of nodes that other tasks may take in place of a call. Releases before read no graph that has some.
create table cached_result (
  key        text collate "C" primary key,
  run        text collate "C" not null references run (id) on delete cascade,
  message    text collate "C" not null,
  content    bytea            not null,
  expires_at timestamptz      not null
);

create index cached_result_run on cached_result (run);
create index cached_result_over on cached_result (expires_at);

comment on table cached_result is 'Results of nodes that other tasks may take in place of a call.';
comment on column cached_result.key is 'A hash of graph, node, configuration and the value of its key.';
comment on column cached_result.run is 'That has made it, and with which it is erased.';
comment on column cached_result.message is 'The id that the task of that run gave the message of its result.';
