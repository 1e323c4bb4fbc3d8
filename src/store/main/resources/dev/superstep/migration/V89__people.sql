-- Whom questions are addressed to. Releases before know nothing of it: their replicas take the answer of anybody who may
-- answer, and cannot read a graph that says it. Post such graphs when all replicas are of this release.
alter table interrupt
  add column addressees bytea,
  add column assignee   text collate "C",
  add column candidates text collate "C";

comment on column interrupt.addressees is 'Whom it was asked; null: anybody.';
comment on column interrupt.assignee is 'Who alone is to answer; null: the candidates.';
comment on column interrupt.candidates is 'Who may answer while there is no assignee, one in a line; null: anybody.';

-- What was asked is part of the history, with rows of before as they were. Whose it is changes.
create or replace function history_digest(stored interrupt) returns bytea language sql stable parallel safe as $$
  select case when stored.addressees is null
    then sha256(record_send(row(
      stored.id, stored.run, stored.graph, stored.superstep, stored.node, stored.dispatch_id, stored.reason,
      stored.payload, stored.schema, stored.status, stored.created_at, stored.expires_at, stored.on_expiry,
      stored.default_answer, stored.answer, stored.answer_key, stored.closed_at, stored.answered_by, stored.may_answer)))
    else sha256(record_send(row(
      stored.id, stored.run, stored.graph, stored.superstep, stored.node, stored.dispatch_id, stored.reason,
      stored.payload, stored.schema, stored.status, stored.created_at, stored.expires_at, stored.on_expiry,
      stored.default_answer, stored.answer, stored.answer_key, stored.closed_at, stored.answered_by, stored.may_answer,
      stored.addressees)))
  end
$$;
