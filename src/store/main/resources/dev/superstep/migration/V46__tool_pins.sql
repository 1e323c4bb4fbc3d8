-- What tools of MCP servers said of themselves when a version of a graph was posted, or called them first: a tool that
-- says something else is not called before a person has been asked.
create table tool_pin (
  graph       text collate "C" not null,
  version     integer          not null,
  tool        text collate "C" not null,
  fingerprint text             not null,
  primary key (graph, version, tool),
  foreign key (graph, version) references graph_version (graph, version)
);
comment on table tool_pin is 'What the tools of MCP servers said when a version of a graph was posted.';
comment on column tool_pin.fingerprint is 'The first half of the SHA-256 of description and schema, in hex.';
