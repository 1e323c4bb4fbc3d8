package dev.superstep.run.webhook;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.StoredEvent;
import dev.superstep.database.LoggedFailure;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunWebhooks;
import dev.superstep.run.webhook.DeliveryRows.NewDelivery;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Makes deliveries of what transactions have written down of runs (`run_report`): each event of a
/// run at most once for each URL. A report is deleted by the transaction that makes its deliveries.
@Component
class RunReports {
  private static final Logger log = LoggerFactory.getLogger(RunReports.class);

  /// Events of a run that are looked at in one transaction.
  private static final int EVENTS_MAX = 100;

  private static final int WAITING_KNOWN_MAX = 10_000;
  private static final Duration RETRY = Duration.ofSeconds(30);
  private static final int RETRY_DOUBLED_MAX = 7;

  /// Tenants of whose runs something is due, each found by one look into the index.
  private static final String TENANTS =
      """
      with recursive tenants as (
        (select tenant_of(run) as tenant from run_report order by tenant_of(run) limit 1)
        union all
        select (select tenant_of(run) from run_report
                 where tenant_of(run) > tenants.tenant order by tenant_of(run) limit 1)
          from tenants where tenants.tenant is not null
      )
      select tenant from tenants
       where exists (select from run_report
                      where tenant_of(run) = tenants.tenant and due_at <= clock_timestamp())
      """;

  /// All of the run of the tenant whose report is due first.
  private static final String TAKE =
      """
      with due as materialized (
        select run from run_report
         where tenant_of(run) = :tenant and due_at <= clock_timestamp()
         order by due_at limit 1 for update skip locked
      ), taken as (
        delete from run_report using due where run_report.run = due.run
        returning run_report.run, after_seq, through_seq, attempts
      )
      select run, min(after_seq) as after_seq, max(through_seq) as through_seq,
             max(attempts) as attempts,
             exists (select from child_run where child = run) as is_child
        from taken group by run
      """;

  private final JdbcClient jdbc;
  private final TransactionOperations transaction;
  private final WebhookRows webhooks;
  private final DeliveryRows deliveries;
  private final EventLog events;
  private final RunQueries runs;
  private final WebhookSettings settings;
  private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

  /// How many deliveries of a webhook wait, as of a while ago.
  private final Map<String, WaitingCount> waiting = new HashMap<>();

  RunReports(
      JdbcClient jdbc,
      TransactionOperations transaction,
      WebhookRows webhooks,
      DeliveryRows deliveries,
      EventLog events,
      RunQueries runs,
      WebhookSettings settings) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.events = events;
    this.runs = runs;
    this.settings = settings;
  }

  private record RunReport(
      String run, long afterSeq, long throughSeq, int attempts, boolean isChild) {}

  /// Somebody who is told of some events.
  ///
  /// @param url that the run has named; empty: the webhook's
  private record Recipient(Webhook webhook, String url, Set<String> events) {}

  private record WaitingCount(int count, long nanos) {}

  /// Tenants of whose runs reports are to be looked at.
  List<String> dueTenants() {
    return jdbc.sql(TENANTS).query((row, _) -> row.getString("tenant")).list();
  }

  /// Looks at one report of a tenant; one that cannot be read waits.
  ///
  /// @return whether there may be more
  boolean step(String tenant) {
    var taken = new ArrayList<RunReport>();
    try {
      return Boolean.TRUE.equals(
          transaction.execute(_ -> {
            webhooks.holdAll();
            var report = take(tenant);
            report.ifPresent(taken::add);
            report.ifPresent(this::deliver);
            return report.isPresent();
          }));
    } catch (RuntimeException e) {
      if (taken.isEmpty()) {
        throw e;
      }
      var report = taken.getFirst();
      log.warn(
          "Webhooks cannot be told yet what happened in run {}: {}",
          report.run(),
          new LoggedFailure(e));
      log.debug("Run {} cannot be read", report.run(), e);
      postpone(report);
      return true;
    }
  }

  private Optional<RunReport> take(String tenant) {
    return jdbc.sql(TAKE)
        .param("tenant", tenant)
        .query((row, _) ->
            new RunReport(
                row.getString("run"),
                row.getLong("after_seq"),
                row.getLong("through_seq"),
                row.getInt("attempts"),
                row.getBoolean("is_child")))
        .optional();
  }

  private RunWebhooks own(String run) {
    return jdbc.sql("select webhooks from run_input where run = ? and webhooks is not null")
        .param(run)
        .query((row, _) -> row.getBytes("webhooks"))
        .optional()
        .map(it ->
            StoredObject.value(it) instanceof ObjectValue object
                ? RunWebhooks.read(object)
                : RunWebhooks.NONE)
        .orElse(RunWebhooks.NONE);
  }

  /// With pauses that grow: it is tried for as long as there is the run.
  private void postpone(RunReport report) {
    jdbc.sql(
            """
            update run_report
               set attempts = attempts + 1, due_at = clock_timestamp() + ? * interval '1 ms'
             where run = ?
            """)
        .params(RETRY.toMillis() << Math.min(report.attempts(), RETRY_DOUBLED_MAX), report.run())
        .update();
  }

  private void deliver(RunReport report) {
    if (report.isChild()) {
      return;
    }
    var own = own(report.run());
    var recipients = recipients(report, own);
    if (recipients.isEmpty()) {
      return;
    }
    var types = recipients.stream().flatMap(it -> it.events().stream()).collect(Collectors.toSet());
    var found = events.read(report.run(), report.afterSeq(), types, EVENTS_MAX);
    var body = new EventPayload(runs, report.run(), own.meta(), settings.payloadMax());
    for (var event : found) {
      if (event.seq() <= report.throughSeq()) {
        var interested =
            recipients.stream()
                .filter(it -> it.events().contains(event.event().type()))
                .filter(it -> !event.at().isBefore(it.webhook().appliesFrom()))
                .toList();
        if (!interested.isEmpty()) {
          var payload = body.of(event);
          interested.forEach(it -> insert(it, report.run(), event, payload));
        }
      }
    }
    if (found.size() == EVENTS_MAX && found.getLast().seq() < report.throughSeq()) {
      jdbc.sql(
              """
              insert into run_report (run, after_seq, through_seq) values (?, ?, ?)
              on conflict (run, through_seq)
              do update set after_seq = least(run_report.after_seq, excluded.after_seq)
              """)
          .params(report.run(), found.getLast().seq(), report.throughSeq())
          .update();
    }
  }

  private List<Recipient> recipients(RunReport report, RunWebhooks own) {
    var graph =
        jdbc.sql("select graph from run where id = ?")
            .param(report.run())
            .query(String.class)
            .single();
    var recipients = new ArrayList<Recipient>();
    for (var webhook : webhooks.list(Tenant.of(report.run()))) {
      if (webhook.follows(graph)) {
        recipients.add(new Recipient(webhook, "", webhook.events()));
      }
      if (webhook.url().isEmpty()) {
        own.targets().forEach(it -> recipients.add(new Recipient(webhook, it.url(), it.events())));
      }
    }
    return recipients;
  }

  private void insert(Recipient recipient, String run, StoredEvent event, byte[] payload) {
    var webhook = recipient.webhook().id();
    deliveries.insert(
        new NewDelivery(
            ids.generate().toString(),
            webhook,
            run,
            event.seq(),
            event.event().type(),
            recipient.url(),
            payload),
        settings.giveUpAfter(),
        isFull(webhook)
            ? Optional.of(
                "%d deliveries of this webhook wait already (superstep.webhooks.waiting-max)"
                    .formatted(settings.waitingMax()))
            : Optional.empty());
  }

  private boolean isFull(String webhook) {
    var known = waiting.get(webhook);
    if (known == null || System.nanoTime() - known.nanos() > Duration.ofSeconds(10).toNanos()) {
      known =
          new WaitingCount(deliveries.waiting(webhook, settings.waitingMax()), System.nanoTime());
    }
    if (waiting.size() > WAITING_KNOWN_MAX) {
      waiting.clear();
    }
    waiting.put(webhook, new WaitingCount(known.count() + 1, known.nanos()));
    return known.count() >= settings.waitingMax();
  }
}
