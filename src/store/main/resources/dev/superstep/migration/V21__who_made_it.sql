-- Who has posted a version and who has answered a question: the id of an API key, or the subject of a
-- token. Null: an earlier release wrote the row, or nobody needed a key. Runs have `run.caller`.
alter table graph_version add column created_by text collate "C";
alter table interrupt add column answered_by text collate "C";
