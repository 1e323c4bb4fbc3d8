-- What is stored of a run can be verified. Rows from before, and those that release N-1 writes where it knows nothing of
-- this, have no hash.

-- In the order in which commits lock them.
lock table run, run_input, run_event, interrupt, resolution, checkpoint in access exclusive mode;

alter table checkpoint add column link bytea;
alter table checkpoint add column seal bigint;
comment on column checkpoint.link is 'SHA-256 of the link of the checkpoint before and of what the driver has given for this one; null: not chained.';
comment on column checkpoint.seal is 'Checksum of the link and of what the statement has added.';

create function checkpoint_seal(link bytea, version integer, epoch bigint, first_event bigint, last_event bigint, at timestamptz)
returns bigint language sql immutable parallel safe as $$
  select hash_record_extended(row(link, version, epoch, first_event, last_event, at), 0)
$$;

-- As CheckpointLink computes it. previous: the link of the row before; null: it has none.
create function checkpoint_link(previous bytea, stored checkpoint) returns bytea language sql stable parallel safe as $$
  select sha256(coalesce(previous, ''::bytea) || int4send(stored.number) || int4send(stored.superstep)
                || int4send(stored.base) || int8send(stored.delta_bytes) || int4send(stored.snapshot_bytes)
                || int4send(length(stored.state_hash)) || stored.state_hash
                || int4send(length(stored.content)) || stored.content
                || int4send(length(stored.events)) || stored.events
                || coalesce(int4send(length(stored.snapshot)) || stored.snapshot, int4send(-1))
                || int4send(octet_length(stored.kind)) || convert_to(stored.kind, 'UTF8'))
$$;

-- Up to where retention has trimmed checkpoints and events, and what the first kept checkpoint is linked to, with that
-- number once more.
alter table run add column trimmed_to integer;
alter table run add column trimmed_link bytea;

-- Other rows have a hash of what never changes in them, made when they are inserted; a question another one when it is
-- closed, or asked again.
alter table run add column digest bytea;
alter table run_input add column digest bytea;
alter table run_event add column digest bytea;
alter table interrupt add column digest bytea;
alter table resolution add column digest bytea;

create function history_digest(stored run) returns bytea language sql stable parallel safe as $$
  select sha256(record_send(row(
    stored.id, stored.graph, stored.version, stored.priority, stored.durability, stored.thread_id, stored.ordinal,
    stored.parent_run, stored.parent_checkpoint, stored.created_at, stored.caller, stored.birth_id)))
$$;
create function history_digest(stored run_input) returns bytea language sql stable parallel safe as $$
  select sha256(record_send(row(
    stored.run, stored.input, stored.context, stored.metadata, stored.request_hash, stored.traceparent, stored.params,
    stored.edit)))
$$;
create function history_digest(stored run_event) returns bytea language sql stable parallel safe as $$
  select sha256(record_send(row(
    stored.run, stored.seq, stored.type, stored.superstep, stored.node, stored.dispatch_id, stored.data, stored.at)))
$$;
create function history_digest(stored interrupt) returns bytea language sql stable parallel safe as $$
  select sha256(record_send(row(
    stored.id, stored.run, stored.graph, stored.superstep, stored.node, stored.dispatch_id, stored.reason,
    stored.payload, stored.schema, stored.status, stored.created_at, stored.expires_at, stored.on_expiry,
    stored.default_answer, stored.answer, stored.answer_key, stored.closed_at, stored.answered_by, stored.may_answer)))
$$;
create function history_digest(stored resolution) returns bytea language sql stable parallel safe as $$
  select sha256(record_send(row(
    stored.run, stored.superstep, stored.task, stored.node, stored.dispatch_id, stored.change, stored.created_at)))
$$;

create function digest_inserted() returns trigger language plpgsql as $$
begin
  new.digest := history_digest(new);
  return new;
end
$$;

-- A row that was changed behind the back of the service stays broken; one without a digest stays without.
create function digest_changed() returns trigger language plpgsql as $$
begin
  new.digest := case when old.digest = history_digest(old) then history_digest(new) else old.digest end;
  return new;
end
$$;

create trigger digest before insert on run for each row execute function digest_inserted();
create trigger digest before insert on run_input for each row execute function digest_inserted();
create trigger digest before insert on run_event for each row execute function digest_inserted();
create trigger digest before insert on interrupt for each row execute function digest_inserted();
create trigger digest before insert on resolution for each row execute function digest_inserted();
create trigger digest_again before update on interrupt for each row
  when (old.status is distinct from new.status) execute function digest_changed();
create trigger digest_again before update on resolution for each row
  when (old.created_at is distinct from new.created_at) execute function digest_changed();
