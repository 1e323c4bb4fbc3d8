-- A database can go back: a standby that had not everything is promoted, or a backup is restored.
-- Each history has a number, the era. Epochs of leases have it in their upper bits, so that two
-- drivers never hold the same epoch in two histories.

create table database_era (
  era               integer     primary key,
  system_identifier text        collate "C", -- of the server; null: it does not say
  timeline          text        collate "C", -- of its log, as it is named in files; null: it does not say
  seen_at           timestamptz not null default clock_timestamp()
) with (fillfactor = 70);
comment on table database_era is
  'Histories of this database, the newest last. Events behind the last one before seen_at are of a later history.';

-- A promotion begins a new timeline. Managed servers may refuse the functions: then null.
create function database_timeline() returns text language plpgsql stable as $$
begin
  return substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8);
exception when others then
  return null;
end $$;

create function database_system() returns text language plpgsql stable as $$
begin
  return (select system_identifier::text from pg_control_system());
exception when others then
  return null;
end $$;

insert into database_era (era, system_identifier, timeline)
values (1, database_system(), database_timeline());

-- The era of the history that the statement is part of, also before anybody has stored its row.
-- Timelines never fall, so that an era whose row was lost is not used again.
create function database_era() returns integer language sql stable as $$
  select case when timeline <> database_timeline()
              then greatest(era + 1, ('x' || database_timeline())::bit(32)::integer)
              else era end
    from database_era order by era desc limit 1
$$;

-- The epoch of the next claim of a run that has had this one.
create function next_epoch(epoch bigint) returns bigint language sql stable as $$
  select greatest(epoch + 1, ((database_era() - 1)::bigint << 32) + 1)
$$;
