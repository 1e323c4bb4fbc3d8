-- What authors sent, beside the long form that graph_version keeps: comments and order included.
-- One text per version, replaced when a text that means the same is posted again. Versions that an
-- earlier release stored have none.
create table graph_source (
  graph     text collate "C" not null,
  version   integer          not null,
  format    text             not null check (format in ('JSON', 'YAML')),
  text      text             not null,
  posted_at timestamptz      not null,
  primary key (graph, version),
  foreign key (graph, version) references graph_version (graph, version)
);
comment on table graph_source is 'The text of each graph version as its author posted it last.';
