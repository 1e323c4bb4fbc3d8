-- Webhooks: what happens in a run that somebody wants to hear of is written down by the transaction in which it happens, by
-- triggers: so whatever changes a run reports it, release N-1 as well, whose inserts have the default of run.reports.
-- Release N-1 sends nothing; what it has written down waits for a replica of this one.

-- In the order in which commits lock them.
lock table run, run_input in access exclusive mode;

create table webhook (
  id                text collate "C" primary key,
  tenant            text collate "C" not null,
  url               text collate "C",
  events            text[]           not null,
  level             smallint         not null generated always as (
                      case when events && array['custom', 'message.taken', 'message.rejected'] then 2 else 1 end) stored,
  graphs            text[]           not null,
  description       text             not null,
  paused            boolean          not null default false,
  paused_because    text,
  signing           bytea            not null,
  previous_signing  bytea,
  previous_ends_at  timestamptz,
  applies_from      timestamptz      not null,
  resumed_at        timestamptz,
  caught_up         boolean          not null default false
);
create index webhook_tenant on webhook (tenant, id);
create unique index webhook_of_runs on webhook (tenant) where url is null;
comment on table webhook is 'Who is told what happens in the runs of a tenant.';
comment on column webhook.url is 'Null: each run names its own.';
comment on column webhook.level is '1: it is told where a run stands; 2: what a superstep reports, too.';
comment on column webhook.graphs is 'Names of the graphs of whose runs it is told; empty: all.';
comment on column webhook.paused_because is 'Null: somebody has paused it.';
comment on column webhook.signing is 'What its secret is made of.';
comment on column webhook.applies_from is 'It is told what is committed from then on.';
comment on column webhook.resumed_at is 'When it was paused no more: from then on deliveries have their whole time again.';
comment on column webhook.caught_up is 'Runs that had begun before every insert of a run saw it are marked.';

-- What happened in a run and is not made into deliveries yet.
create table run_report (
  run         text collate "C" not null references run (id) on delete cascade,
  after_seq   bigint           not null,
  through_seq bigint           not null,
  due_at      timestamptz      not null default clock_timestamp(),
  attempts    integer          not null default 0,
  primary key (run, through_seq)
);
create index run_report_of_tenant on run_report (tenant_of(run), due_at);
comment on table run_report is 'Events of a run of which webhooks may have to be told.';
comment on column run_report.after_seq is 'Those behind this one.';

create table delivery (
  id             text collate "C" primary key,
  webhook        text collate "C" not null,
  run            text collate "C" not null references run (id) on delete cascade,
  seq            bigint           not null,
  type           text collate "C" not null,
  url            text collate "C" not null,
  receiver       text collate "C" not null,
  sent_to        text collate "C",
  body           bytea            not null,
  status         text collate "C" not null,
  attempts       integer          not null default 0,
  claims         bigint           not null default 0,
  created_at     timestamptz      not null default clock_timestamp(),
  next_at        timestamptz,
  give_up_at     timestamptz      not null,
  ended_at       timestamptz,
  attempted_at   timestamptz,
  answer_status  integer,
  answer         text,
  constraint delivery_once unique (run, seq, webhook, url),
  constraint delivery_status check (status in ('pending', 'delivered', 'dead'))
);
create index delivery_pending on delivery (receiver, next_at) where status = 'pending';
create index delivery_of_webhook on delivery (webhook, id);
create index delivery_dead on delivery (webhook, id) where status = 'dead';
create index delivery_waiting on delivery (created_at) where status = 'pending';
create index delivery_ended on delivery (ended_at) where ended_at is not null;
comment on table delivery is 'What is sent, or was, to a webhook about an event of a run.';
comment on column delivery.webhook is 'It may be deleted: then this is, by and by.';
comment on column delivery.url is 'What the run has named; empty: the one that the webhook has when it is sent.';
comment on column delivery.receiver is 'The webhook, and the server that the run has named: what waits for one another does not.';
comment on column delivery.sent_to is 'Where the last attempt went.';
comment on column delivery.claims is 'How often it was given to a replica to be sent; a result of an earlier one does not count.';
comment on column delivery.next_at is 'When it is sent, or sent again if the replica that sends it dies.';
comment on column delivery.answer is 'The beginning of what the receiver has answered, or why there is no answer.';

alter table run_input add column webhooks bytea;
alter table run_input add column webhook_level smallint not null default 0;
comment on column run_input.webhooks is 'Whom the run tells what happens in it, and what goes along.';
comment on column run_input.webhook_level is 'What they ask for, as in run.reports; -1: nobody is told of it.';

-- How much of what happens is written down: a constant for the runs that there are.
alter table run add column reports smallint not null default 0;
comment on column run.reports is '0: nothing; 1: where it stands; 2: what a superstep reports, too.';

-- The functions have the rights of the owner: the role of a tenant is granted new tables when a replica of this release
-- has started, and release N-1 writes runs before.

-- For inserts that do not say it, as those of release N-1: of whatever graph and tenant the run is.
create function reports_by_default() returns smallint language plpgsql stable
  security definer set search_path from current as $$
begin
  return coalesce((select max(level) from webhook where url is not null), 0);
end
$$;
alter table run alter column reports set default reports_by_default();

-- A run that had failed before a webhook was made, and goes on, does not know it.
create function report_again() returns trigger language plpgsql
  security definer set search_path from current as $$
declare
  wanted smallint;
begin
  select max(webhook.level) into wanted from webhook
   where webhook.tenant = tenant_of(new.id) and webhook.url is not null
     and (webhook.graphs = '{}' or new.graph = any(webhook.graphs));
  update run set reports = wanted
   where id = new.id and reports < wanted and not exists (select from child_run where child = new.id);
  return null;
end
$$;
create trigger report_again after update of status on run for each row
  when (old.status = 'failed' and new.status <> 'failed' and new.reports < 2)
  execute function report_again();

create function report_events() returns trigger language plpgsql
  security definer set search_path from current as $$
begin
  insert into run_report (run, after_seq, through_seq)
  values (new.id,
          -- Of a status that is written behind its event in the same transaction, the last ones.
          case when tg_op = 'INSERT' then 0
               when old.event_seq = new.event_seq then greatest(new.event_seq - 3, 0)
               else old.event_seq end,
          new.event_seq)
  on conflict (run, through_seq)
  do update set after_seq = least(run_report.after_seq, excluded.after_seq);
  return null;
end
$$;
-- A copy, as release N-1 makes them of the runs of a thread, has ended before it is inserted, or is inserted cancelled.
create trigger report_inserted after insert on run for each row
  when (new.reports > 0 and new.event_seq > 0
        and coalesce(new.finished_at >= statement_timestamp() and new.status <> 'cancelled', true))
  execute function report_events();
create trigger report_updated after update of event_seq, status on run for each row
  when (new.reports > 0
        and (new.event_seq > old.event_seq
             and (new.reports > 1 or new.status in ('waiting', 'interrupted', 'failed', 'succeeded', 'cancelled'))
             or new.status <> old.status
                and new.status in ('waiting', 'interrupted', 'failed', 'succeeded', 'cancelled')))
  execute function report_events();

-- Once both rows are there, whichever is inserted first.
create function report_to_own_webhooks() returns trigger language plpgsql
  security definer set search_path from current as $$
declare
  last bigint;
begin
  update run set reports = greatest(reports, new.webhook_level) where id = new.run
    returning event_seq into last;
  if last > 0 then
    insert into run_report (run, after_seq, through_seq) values (new.run, 0, last)
    on conflict (run, through_seq) do update set after_seq = 0;
  end if;
  return null;
end
$$;
create constraint trigger report_to_own_webhooks after insert on run_input
  deferrable initially deferred for each row when (new.webhook_level > 0)
  execute function report_to_own_webhooks();
