package dev.superstep.run.webhook;

import dev.superstep.node.http.Outbound;
import dev.superstep.run.webhook.WebhookDelivery.DeliveryStanding;
import dev.superstep.run.webhook.WebhookDelivery.DeliveryStatus;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Writes and reads deliveries, in the caller's transaction.
@Component
class DeliveryRows {
  private static final int HURRIED_MAX = 1_000;

  /// The servers for which something waits, each found by one look into the index. Tenants take
  /// turns, however many servers one of them has.
  private static final String RECEIVERS =
      """
      with recursive receivers as (
        (select receiver from delivery where status = 'pending' order by receiver limit 1)
        union all
        select (select delivery.receiver from delivery
                 where delivery.status = 'pending' and delivery.receiver > receivers.receiver
                 order by delivery.receiver limit 1)
          from receivers where receivers.receiver is not null
      )
      select receivers.receiver, webhook.tenant from receivers
        join webhook on webhook.id = split_part(receivers.receiver, ' ', 1) and not webhook.paused
       where exists (select from delivery
                      where delivery.receiver = receivers.receiver and delivery.status = 'pending'
                        and delivery.next_at <= clock_timestamp())
       order by row_number() over (partition by webhook.tenant order by random()), random()
       limit :max
      """;

  private static final String CLAIM =
      """
      with due as materialized (
        select chosen.id, chosen.target
          from unnest(:receivers::text[], :limits::integer[]) as wanted (receiver, room)
         cross join lateral (
           select delivery.id, coalesce(webhook.url, delivery.url) as target
             from delivery join webhook on webhook.id = delivery.webhook and not webhook.paused
            where delivery.receiver = wanted.receiver and delivery.status = 'pending'
              and delivery.next_at <= clock_timestamp()
            order by delivery.next_at limit wanted.room
              for no key update of delivery skip locked) as chosen
      )
      update delivery
         set attempts = attempts + 1, claims = claims + 1, attempted_at = clock_timestamp(),
             answer = null, answer_status = null, sent_to = due.target,
             next_at = clock_timestamp() + :lease * interval '1 ms'
        from due where delivery.id = due.id
      returning delivery.id, webhook, run, tenant_of(run) as tenant, sent_to, receiver, body, attempts, claims
      """;

  private static final String URL =
      "coalesce(sent_to, nullif(url, ''), (select webhook.url from webhook where webhook.id ="
          + " delivery.webhook)) as shown_url";

  private final JdbcClient jdbc;

  DeliveryRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A delivery that is to be made.
  ///
  /// @param url that the run has named; empty: the webhook's
  record NewDelivery(
      String id, String webhook, String run, long seq, String type, String url, byte[] body) {}

  /// A delivery that this process sends.
  ///
  /// @param attempt its number since the delivery was made or replayed
  /// @param claim its number of all, by which the result is known
  record ClaimedDelivery(
      String id,
      String webhook,
      String run,
      String tenant,
      String url,
      String receiver,
      byte[] body,
      int attempt,
      long claim) {}

  /// What has become of an attempt.
  ///
  /// @param status of HTTP; empty: there is no answer
  /// @param retryAfter how long the receiver wants to be left alone
  record AttemptResult(
      boolean delivered, Optional<Integer> status, String answer, Optional<Duration> retryAfter) {

    static AttemptResult none(String because) {
      return new AttemptResult(false, Optional.empty(), because, Optional.empty());
    }
  }

  /// What waits for one receiver waits for no other.
  ///
  /// @param url that a run has named; empty: the webhook's
  static String receiver(String webhook, String url) {
    return webhook + " " + (url.isEmpty() ? "" : Outbound.server(url));
  }

  /// Whether there may be anything to do.
  enum WebhookWork {
    NOW,
    LATER,
    /// There is no webhook.
    NEVER
  }

  /// For the price of looks into indexes.
  WebhookWork work() {
    return jdbc.sql(
            """
            select case when exists (select from run_report where tenant_of(run) >= '')
                          or exists (select from delivery where status = 'pending')
                          or exists (select from webhook where not caught_up) then 'NOW'
                        when exists (select from webhook) then 'LATER'
                        else 'NEVER' end
            """)
        .query((row, _) -> WebhookWork.valueOf(row.getString(1)))
        .single();
  }

  /// Repeating it is harmless.
  ///
  /// @param refusal why it is given up at once; empty: it is sent
  void insert(NewDelivery made, Duration giveUpAfter, Optional<String> refusal) {
    jdbc.sql(
            """
            insert into delivery (id, webhook, run, seq, type, url, receiver, body, status,
                                  next_at, give_up_at, ended_at, answer)
            select :id, :webhook, :run, :seq, :type, :url, :receiver, :body,
                   case when :refusal::text is null then 'pending' else 'dead' end,
                   case when :refusal::text is null then clock_timestamp() end,
                   clock_timestamp() + :giveUpAfter * interval '1 ms',
                   case when :refusal::text is not null then clock_timestamp() end,
                   :refusal::text
            on conflict on constraint delivery_once do nothing
            """)
        .param("id", made.id())
        .param("webhook", made.webhook())
        .param("run", made.run())
        .param("seq", made.seq())
        .param("type", made.type())
        .param("url", made.url())
        .param("receiver", receiver(made.webhook(), made.url()))
        .param("body", made.body())
        .param("giveUpAfter", giveUpAfter.toMillis())
        .param("refusal", refusal.orElse(null), Types.VARCHAR)
        .update();
  }

  /// How many wait, counted up to `max`.
  int waiting(String webhook, int max) {
    return jdbc.sql(
            """
            select count(*) from (
              select from delivery
               where status = 'pending' and receiver >= :from and receiver < :to limit :max) as waiting
            """)
        .param("from", webhook + " ")
        .param("to", webhook + "!")
        .param("max", max)
        .query(Integer.class)
        .single();
  }

  /// Whom something is to be sent.
  record DueReceiver(String receiver, String tenant) {}

  /// In random order, tenants in turn.
  List<DueReceiver> dueReceivers(int max) {
    return jdbc.sql(RECEIVERS)
        .param("max", max)
        .query((row, _) -> new DueReceiver(row.getString("receiver"), row.getString("tenant")))
        .list();
  }

  /// @param limits how many for each receiver, in their order
  /// @param lease after which they are sent again if nothing is heard of this attempt
  List<ClaimedDelivery> claim(List<String> receivers, List<Integer> limits, Duration lease) {
    return jdbc.sql(CLAIM)
        .param("receivers", receivers.toArray(String[]::new))
        .param("limits", limits.toArray(Integer[]::new))
        .param("lease", lease.toMillis())
        .query((row, _) ->
            new ClaimedDelivery(
                row.getString("id"),
                row.getString("webhook"),
                row.getString("run"),
                row.getString("tenant"),
                row.getString("sent_to"),
                row.getString("receiver"),
                row.getBytes("body"),
                row.getInt("attempts"),
                row.getLong("claims")))
        .list();
  }

  /// Records an attempt, unless the delivery was sent anew meanwhile.
  ///
  /// @param pause before the next attempt; empty: there is none
  /// @param giveUpAfter how long it is tried from when its webhook was paused no more
  void settle(
      ClaimedDelivery claimed,
      AttemptResult result,
      Optional<Duration> pause,
      Duration giveUpAfter) {
    jdbc.sql(
            """
            with given as (
              select clock_timestamp() + :pause::bigint * interval '1 ms' as again,
                     coalesce((select resumed_at + :giveUpAfter * interval '1 ms'
                                 from webhook where id = :webhook), '-infinity') as resumed
            )
            update delivery
               set status = case when :delivered then 'delivered'
                                 when again < greatest(give_up_at, resumed) then 'pending'
                                 else 'dead' end,
                   next_at = case when not :delivered and again < greatest(give_up_at, resumed)
                                    then again end,
                   ended_at = case when not :delivered and again < greatest(give_up_at, resumed)
                                     then null
                                   else clock_timestamp() end,
                   answer_status = :status, answer = :answer
              from given
             where id = :id and claims = :claim and status = 'pending'
            """)
        .param("pause", pause.map(Duration::toMillis).orElse(null), Types.BIGINT)
        .param("delivered", result.delivered())
        .param("status", result.status().orElse(null), Types.INTEGER)
        .param("answer", result.answer())
        .param("webhook", claimed.webhook())
        .param("giveUpAfter", giveUpAfter.toMillis())
        .param("id", claimed.id())
        .param("claim", claimed.claim())
        .update();
  }

  /// A receiver answers again: what waits for it is sent soon.
  ///
  /// @param lease within which what was begun may still be on its way
  void hurry(String receiver, Duration lease) {
    jdbc.sql(
            """
            with waiting as materialized (
              select id from delivery
               where receiver = :receiver and status = 'pending' and attempts > 0
                 and next_at > clock_timestamp()
                 and (answer is not null
                      or attempted_at <= clock_timestamp() - :lease * interval '1 ms')
               order by next_at limit :max
                 for no key update skip locked
            )
            update delivery set next_at = clock_timestamp() from waiting
             where delivery.id = waiting.id
            """)
        .param("receiver", receiver)
        .param("lease", lease.toMillis())
        .param("max", HURRIED_MAX)
        .update();
  }

  /// Those of a webhook, newest first.
  ///
  /// @param before the id behind which to begin; empty: the newest
  List<WebhookDelivery> list(
      String webhook, Optional<DeliveryStatus> status, Optional<String> before, int limit) {
    return jdbc.sql(
            """
            select id, webhook, run, seq, type, %s, created_at, status, attempts, attempted_at,
                   next_at, answer_status, answer
              from delivery
             where webhook = :webhook and %s
               and (:before::text is null or id < :before::text)
             order by id desc limit :limit
            """
                .formatted(
                    URL, status.map(it -> "status = '%s'".formatted(it.apiName())).orElse("true")))
        .param("webhook", webhook)
        .param("before", before.orElse(null), Types.VARCHAR)
        .param("limit", limit)
        .query((row, _) -> delivery(row, false))
        .list();
  }

  Optional<WebhookDelivery> find(String webhook, String id) {
    return jdbc.sql("select *, %s from delivery where webhook = ? and id = ?".formatted(URL))
        .params(webhook, id)
        .query((row, _) -> delivery(row, true))
        .optional();
  }

  /// Has deliveries be sent anew.
  ///
  /// @param id empty: all that were given up
  /// @return how many
  int replay(String webhook, Optional<String> id, Duration giveUpAfter, int max) {
    return jdbc.sql(
            """
            with chosen as materialized (
              select id from delivery
               where webhook = :webhook and %s
               order by id limit :max
                 for no key update
            )
            update delivery
               set status = 'pending', attempts = 0, next_at = clock_timestamp(), ended_at = null,
                   give_up_at = clock_timestamp() + :giveUpAfter * interval '1 ms'
              from chosen where delivery.id = chosen.id
            """
                .formatted(id.isPresent() ? "id = :id" : "status = 'dead' and :id::text is null"))
        .param("webhook", webhook)
        .param("id", id.orElse(null), Types.VARCHAR)
        .param("giveUpAfter", giveUpAfter.toMillis())
        .param("max", max)
        .update();
  }

  /// Deletes what was made for webhooks that are deleted.
  ///
  /// @return how many were deleted
  int purgeOrphans(int max) {
    return jdbc.sql(
            """
            with recursive known as (
              (select webhook from delivery order by webhook limit 1)
              union all
              select (select delivery.webhook from delivery
                       where delivery.webhook > known.webhook order by delivery.webhook limit 1)
                from known where known.webhook is not null
            ), orphan as materialized (
              select delivery.id
                from known join delivery on delivery.webhook = known.webhook
               where not exists (select from webhook where webhook.id = known.webhook)
               limit :max
            )
            delete from delivery where id in (select id from orphan)
            """)
        .param("max", max)
        .update();
  }

  /// @return how many were deleted
  int purge(Duration keep, int max) {
    return jdbc.sql(
            """
            delete from delivery
             where id in (select id from delivery
                           where ended_at < clock_timestamp() - :keep * interval '1 ms' limit :max)
            """)
        .param("keep", keep.toMillis())
        .param("max", max)
        .update();
  }

  private static WebhookDelivery delivery(ResultSet row, boolean withBody) throws SQLException {
    return new WebhookDelivery(
        row.getString("id"),
        row.getString("webhook"),
        row.getString("run"),
        row.getLong("seq"),
        row.getString("type"),
        row.getString("shown_url"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        withBody
            ? Optional.of(new String(row.getBytes("body"), StandardCharsets.UTF_8))
            : Optional.empty(),
        new DeliveryStanding(
            DeliveryStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
            row.getInt("attempts"),
            time(row, "attempted_at"),
            time(row, "next_at"),
            Optional.ofNullable(row.getObject("answer_status", Integer.class)),
            Optional.ofNullable(row.getString("answer"))));
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
