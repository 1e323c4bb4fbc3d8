-- The values of a graph's params that a run was given at its start, canonical JSON; null: the graph
-- declares none.
alter table run_input add column params bytea;
