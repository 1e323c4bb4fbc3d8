-- The audit log is sealed in batches, tenant by tenant: a chain within the transactions that write it would order them all.

-- Events are sealed in the order of their ids; a later one may have an earlier time.
create index audit_event_tenant on audit_event (tenant, id);

create table audit_seal (
  tenant      text collate "C" not null,
  number      bigint           not null,
  through_id  bigint           not null,
  newest_at   timestamptz      not null,
  sealed_at   timestamptz      not null,
  previous    bytea            not null,
  events      bytea,
  events_hash bytea            not null,
  hash        bytea            not null,
  primary key (tenant, number)
);
alter table audit_seal alter column events set storage external;
create index audit_seal_newest on audit_seal (newest_at) where events is not null;

comment on table audit_seal is 'Seals of batches of the audit log, each linked to the one before.';
comment on column audit_seal.through_id is 'The greatest id of its events; none up to this one is sealed later.';
comment on column audit_seal.previous is 'Hash of the seal before; empty: there is none.';
comment on column audit_seal.events is 'The audit_digest of each, by id; null: retention has deleted them.';

create table audit_sealed (
  the_only   boolean not null primary key default true check (the_only),
  through_id bigint  not null
);
insert into audit_sealed (through_id) values (0);
comment on table audit_sealed is 'Up to which id events of all tenants are sealed.';

-- 48 bytes: id, time, and SHA-256 of all columns.
create function audit_digest(stored audit_event) returns bytea language sql stable parallel safe as $$
  select int8send(stored.id) || timestamptz_send(stored.at)
         || sha256(record_send(row(
              stored.at, stored.id, stored.tenant, stored.caller, stored.credential, stored.address, stored.action,
              stored.object_kind, stored.object_id, stored.outcome, stored.error_code, stored.times)))
$$;

create function audit_seal_hash(
  tenant text, number bigint, through_id bigint, newest_at timestamptz, sealed_at timestamptz, previous bytea,
  events_hash bytea)
returns bytea language sql stable parallel safe as $$
  select sha256(record_send(row(tenant, number, through_id, newest_at, sealed_at, previous, events_hash)))
$$;
