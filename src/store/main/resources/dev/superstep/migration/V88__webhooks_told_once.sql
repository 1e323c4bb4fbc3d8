-- What webhooks are told, more exactly. Release N-1 does with it as before: the triggers work for its statements, too.

-- A run of which nobody wants to hear, of another tenant or graph than any webhook's, writes nothing down, whoever inserts it.
create function reports_exactly() returns trigger language plpgsql
  security definer set search_path from current as $$
begin
  new.reports := coalesce((select max(webhook.level) from webhook
                            where webhook.tenant = tenant_of(new.id) and webhook.url is not null
                              and (webhook.graphs = '{}' or new.graph = any(webhook.graphs))), 0);
  return new;
end
$$;
create trigger reports_exactly before insert on run for each row when (new.reports > 0)
  execute function reports_exactly();

-- Of a status that is written behind its event only what the same transaction has written: an event that was told long ago, and
-- whose delivery is deleted, would be told again.
create or replace function report_events() returns trigger language plpgsql
  security definer set search_path from current as $$
declare
  after_event bigint;
begin
  after_event := case
    when tg_op = 'INSERT' then 0
    when old.event_seq < new.event_seq then old.event_seq
    else least(
           (select min(seq) - 1 from run_event
             where run = new.id and seq > new.event_seq - 3
               and at >= transaction_timestamp() - interval '10 s'),
           (select last.first_event - 1
              from (select first_event, committed_at from checkpoint
                     where run = new.id order by number desc limit 1) as last
             where last.committed_at >= transaction_timestamp() - interval '10 s')) end;
  if after_event < new.event_seq then
    insert into run_report (run, after_seq, through_seq) values (new.id, after_event, new.event_seq)
    on conflict (run, through_seq)
    do update set after_seq = least(run_report.after_seq, excluded.after_seq);
  end if;
  return null;
end
$$;
