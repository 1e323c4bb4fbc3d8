alter table interrupt add column may_answer text collate "C";
comment on column interrupt.may_answer is 'other_than_starter: not the caller that started the run. Null: anybody.';
