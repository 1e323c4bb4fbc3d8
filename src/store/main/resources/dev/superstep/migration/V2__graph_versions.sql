-- Graphs by name, and their versions, which are inserted once and never changed.

create table graph (
  name           text collate "C" primary key,
  newest         integer     not null,  -- the highest number ever given; numbers are not reused
  hidden_through integer     not null,  -- versions up to this one were deleted: only their runs see them
  updated_at     timestamptz not null   -- when the newest version was stored
);

create index graph_updated on graph (updated_at desc, name);

create table graph_version (
  graph      text collate "C" not null references graph (name),
  version    integer          not null check (version > 0),
  hash       text             not null,  -- SHA-256 of the definition in RFC 8785 JSON
  definition text             not null,  -- long form, canonical JSON
  warnings   text             not null,  -- as found when it was posted, JSON
  created_at timestamptz      not null,
  primary key (graph, version)
);
