-- The code of a run's error, for searches: `error` has it in its stored form.
alter table run add column error_code text;
update run
   set error_code = convert_from(error, 'UTF8')::jsonb #>> '{error,code}'
 where error is not null;
create index run_error_code_created on run (error_code, created_at desc, id desc)
  where error_code is not null;
