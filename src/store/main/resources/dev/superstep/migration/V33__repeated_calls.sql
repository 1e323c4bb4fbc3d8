-- What a call with an id of the client's own has asked for: the same id with another request is a
-- conflict, with the same one a repetition.
alter table langgraph_run
  add column request_hash text collate "C";  -- null: the client has chosen no id
