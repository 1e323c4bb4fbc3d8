-- Who did what to which object, written in the transaction of what it records. Rows are never changed, and deleted by
-- retention only.
create table audit_event (
  at          timestamptz      not null default clock_timestamp(),
  id          bigint           not null generated always as identity,
  tenant      text collate "C" not null default 'default',
  caller      text collate "C",
  credential  text collate "C" not null,
  address     text collate "C",
  action      text collate "C" not null,
  object_kind text collate "C",
  object_id   text collate "C",
  outcome     text collate "C" not null default 'allowed',
  error_code  text collate "C",
  times       integer          not null default 1,
  primary key (at, id)
);
create index audit_event_caller on audit_event (caller, at, id);
create index audit_event_object on audit_event (object_id, at, id) where object_id is not null;

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' or current_setting('superstep.audit_retention', true) is distinct from 'on' then
    raise exception 'audit_event is append-only' using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;
create trigger append_only before update or delete or truncate on audit_event
  for each statement execute function refuse_change_of_audit();

comment on table audit_event is 'Who did what to which object.';
comment on column audit_event.object_id is 'As clients of the tenant know it.';
comment on column audit_event.caller is 'The id of a key or the digest of the subject of a token; null: no key is needed, or none was known.';
comment on column audit_event.credential is 'settings, key, token or none.';
comment on column audit_event.outcome is 'allowed, refused or failed.';
comment on column audit_event.times is 'How many equal refusals or failures the row stands for.';
