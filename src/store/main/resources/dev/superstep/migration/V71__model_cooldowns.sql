-- Nodes with several models begin with those that have not just failed. Releases before know nothing
-- of it, and leave the column as it is.
alter table model_pace add column cooled_until timestamptz;

comment on table model_pace is 'What calls have taken of the allowance of a model that has limits, and which models have failed. Its row is the lock of the model.';
comment on column model_pace.cooled_until is 'The model has failed: until then nodes ask another one first, if they have one.';
