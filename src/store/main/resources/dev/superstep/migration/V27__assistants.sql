-- Assistants that clients of the LangGraph Agent Server have made: graphs with a configuration. The
-- assistant that every graph is by itself has no row until somebody changes it.
create table assistant (
  id         text collate "C" primary key,
  version    integer     not null,  -- the current one
  newest     integer     not null,  -- the highest number ever given
  created_at timestamptz not null
);

create table assistant_version (
  assistant   text collate "C" not null references assistant (id) on delete cascade,
  version     integer          not null check (version > 0),
  graph       text collate "C" not null,
  name        text             not null,
  description text,
  config      text             not null,  -- canonical JSON, as clients gave it
  context     text             not null,
  metadata    text             not null,
  created_at  timestamptz      not null,
  primary key (assistant, version)
);
comment on table assistant_version is 'What an assistant is made of. Versions never change.';
