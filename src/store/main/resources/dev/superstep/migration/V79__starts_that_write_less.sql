-- A run that ends with its start is written in one statement: what each row of that costs counts.

-- In the order in which commits lock them.
lock table run, run_input, audit_event in access exclusive mode;

-- The row of a run and its input are inserted together, and deleted together: a statement for all deleted runs instead of
-- a check for each that is inserted. Release N-1 needs the trigger as well.
alter table run_input drop constraint run_input_run_fkey;
create function delete_inputs() returns trigger language plpgsql as $$
begin
  delete from run_input using gone where run_input.run = gone.id;
  return null;
end
$$;
create trigger delete_inputs after delete on run referencing old table as gone
  for each statement execute function delete_inputs();

-- Most runs have no metadata, and where no keys are asked for no event has a caller. Release N-1 searches by metadata
-- without an index until it has gone.
drop index run_input_metadata;
create index run_input_metadata on run_input using gin (metadata jsonb_path_ops) where metadata <> '{}';
drop index audit_event_caller;
create index audit_event_caller on audit_event (caller, at, id) where caller is not null;
