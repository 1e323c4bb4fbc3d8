package dev.superstep.run.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.database.LoggedFailure;
import dev.superstep.node.http.Outbound;
import dev.superstep.node.http.Outbound.OutboundAnswer;
import dev.superstep.run.webhook.DeliveryRows.AttemptResult;
import dev.superstep.run.webhook.DeliveryRows.ClaimedDelivery;
import dev.superstep.run.webhook.DeliveryRows.DueReceiver;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.transport.RetryAfter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Sends deliveries, each attempt on a virtual thread of its own. A server that has not answered
/// well has one attempt at a time, and all such servers together half of what a replica has: it
/// holds up nobody else. What a process that dies was sending is sent again.
@Component
class DeliverySender {
  private static final Logger log = LoggerFactory.getLogger(DeliverySender.class);

  /// Pauses behind the attempts; the last one is repeated.
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2));

  private static final int RECEIVERS_MAX = 1_000;
  private static final int ANSWERING_MAX = 10_000;

  /// Before others have a turn.
  private static final Duration IN_A_ROW_MAX = Duration.ofSeconds(1);

  private static final int GONE = 410;
  private static final int ANSWER_CHARS_MAX = 500;

  private final DeliveryRows deliveries;
  private final WebhookRows webhooks;
  private final WebhookKey key;
  private final Outbound outbound;
  private final DatabaseClock clock;
  private final DeliveryMetrics metrics;
  private final WebhookSettings settings;

  /// What is being sent, by id.
  private final Map<String, ClaimedDelivery> sending = new ConcurrentHashMap<>();

  /// Servers whose last attempt was answered well.
  private final Cache<String, Boolean> answering =
      Caffeine.newBuilder().maximumSize(ANSWERING_MAX).build();

  /// Looking for servers takes a tenth of the time at most, however many there are.
  private long lookAgain = System.nanoTime();

  DeliverySender(
      DeliveryRows deliveries,
      WebhookRows webhooks,
      WebhookKey key,
      Outbound outbound,
      DatabaseClock clock,
      DeliveryMetrics metrics,
      WebhookSettings settings) {
    this.deliveries = deliveries;
    this.webhooks = webhooks;
    this.key = key;
    this.outbound = outbound;
    this.clock = clock;
    this.metrics = metrics;
    this.settings = settings;
  }

  /// Begins as many attempts as there is room for, and does not wait for them.
  ///
  /// @return whether there were any
  boolean sendDue() {
    var receivers = new ArrayList<String>();
    var limits = new ArrayList<Integer>();
    var room = new AttemptRoom();
    for (var due : dueReceivers()) {
      int wanted = room.take(due);
      if (wanted > 0) {
        receivers.add(due.receiver());
        limits.add(wanted);
      }
    }
    if (receivers.isEmpty()) {
      return false;
    }
    var claimed = deliveries.claim(receivers, limits, settings.lease());
    claimed.forEach(it -> sending.put(it.id(), it));
    claimed.forEach(it -> Thread.ofVirtual().name("webhook-", 0).start(() -> send(it)));
    return !claimed.isEmpty();
  }

  private List<DueReceiver> dueReceivers() {
    long begun = System.nanoTime();
    if (begun - lookAgain < 0) {
      return List.of();
    }
    var found = deliveries.dueReceivers(RECEIVERS_MAX);
    long end = System.nanoTime();
    lookAgain = end + 9 * (end - begun);
    return found;
  }

  /// What is free of the attempts that this replica makes at once. A webhook has an eighth at most,
  /// a tenant half.
  private final class AttemptRoom {
    private int all = settings.inFlightMax() - sending.size();
    private int unproven =
        settings.inFlightMax() / 2
            - (int) sending.values().stream().filter(it -> !isAnswering(it.receiver())).count();
    private final Map<String, Integer> shares = new HashMap<>();

    AttemptRoom() {
      sending
          .values()
          .forEach(
              it -> count(it.webhook(), it.receiver(), it.tenant(), isAnswering(it.receiver()), 1));
    }

    private void count(
        String webhook, String receiver, String tenant, boolean answers, int attempts) {
      for (var share : List.of(receiver, webhook, "tenant " + tenant, unproven(tenant))) {
        if (!answers || !share.equals(unproven(tenant))) {
          shares.merge(share, attempts, Integer::sum);
        }
      }
    }

    private static String unproven(String tenant) {
      return "unproven " + tenant;
    }

    /// What is free of a part of all.
    private int left(int divisor, String share) {
      return Math.max(settings.inFlightMax() / divisor, 1) - shares.getOrDefault(share, 0);
    }

    int take(DueReceiver due) {
      boolean answers = isAnswering(due.receiver());
      int sent = shares.getOrDefault(due.receiver(), 0);
      int room =
          answers
              ? settings.perReceiverMax() - sent
              : Math.min(1 - sent, Math.min(unproven, left(4, unproven(due.tenant()))));
      var webhook = due.receiver().substring(0, due.receiver().indexOf(' '));
      int fair = Math.min(left(8, webhook), left(2, "tenant " + due.tenant()));
      int taken = Math.max(Math.min(Math.min(room, all), fair), 0);
      all -= taken;
      unproven -= answers ? 0 : taken;
      count(webhook, due.receiver(), due.tenant(), answers, taken);
      return taken;
    }
  }

  private boolean isAnswering(String receiver) {
    return answering.getIfPresent(receiver) != null;
  }

  /// Goes on with what waits for the same server, as long as that answers.
  private void send(ClaimedDelivery first) {
    long end = System.nanoTime() + IN_A_ROW_MAX.toNanos();
    var claimed = first;
    while (sendOne(claimed) && System.nanoTime() - end < 0) {
      var next = deliveries.claim(List.of(claimed.receiver()), List.of(1), settings.lease());
      if (next.isEmpty()) {
        return;
      }
      claimed = next.getFirst();
      sending.put(claimed.id(), claimed);
    }
  }

  private boolean sendOne(ClaimedDelivery claimed) {
    try {
      var result = attempt(claimed);
      metrics.count(result.delivered());
      settle(claimed, result);
      return result.delivered();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (RuntimeException e) {
      log.warn(
          "Delivery {} is sent again, for its result is not stored: {}",
          claimed.id(),
          new LoggedFailure(e));
      return false;
    } finally {
      sending.remove(claimed.id());
    }
  }

  private AttemptResult attempt(ClaimedDelivery claimed) throws InterruptedException {
    var signatures = new ArrayList<String>();
    long timestamp = clock.instant().getEpochSecond();
    for (var stored : webhooks.signing(claimed.webhook())) {
      Optional<WebhookSecret> secret;
      try {
        secret = key.read(stored);
      } catch (MissingSecretException e) {
        log.warn("Nothing can be signed: superstep.webhooks.key cannot be read", e);
        return AttemptResult.none("not sent: the key of which secrets are made is not there now");
      }
      if (secret.isEmpty() && signatures.isEmpty()) {
        return AttemptResult.none(
            "not sent: its secret was made with another superstep.webhooks.key; rotate the secret");
      }
      secret.ifPresent(it -> signatures.add(it.sign(claimed.id(), timestamp, claimed.body())));
    }
    if (signatures.isEmpty()) {
      return AttemptResult.none("not sent: the webhook is deleted");
    }
    var headers =
        Map.of(
            "content-type", "application/json",
            "webhook-id", claimed.id(),
            "webhook-timestamp", Long.toString(timestamp),
            "webhook-signature", String.join(" ", signatures));
    var body = new String(claimed.body(), StandardCharsets.UTF_8);
    return result(
        outbound.sendBriefly(
            new Outbound.Request("POST", claimed.url(), headers, body), settings.timeout()));
  }

  private AttemptResult result(OutboundAnswer answer) {
    return switch (answer) {
      case OutboundAnswer.Reply(var status, var text, var retryAfter) ->
          new AttemptResult(
              status >= 200 && status < 300,
              Optional.of(status),
              storable(text),
              RetryAfter.parse(retryAfter.orElse(null), clock.instant(), PAUSES.getLast()));
      case OutboundAnswer.RefusedRequest(var message) -> AttemptResult.none(storable(message));
      case OutboundAnswer.Lost(var message) -> AttemptResult.none(storable(message));
    };
  }

  private static String storable(String text) {
    var clean = text.replace('\0', ' ').codePoints().limit(ANSWER_CHARS_MAX);
    return clean
        .map(it -> it >= Character.MIN_SURROGATE && it <= Character.MAX_SURROGATE ? '?' : it)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private void settle(ClaimedDelivery claimed, AttemptResult result) {
    if (result.delivered()) {
      deliveries.settle(claimed, result, Optional.empty(), settings.giveUpAfter());
      boolean answered = isAnswering(claimed.receiver());
      answering.put(claimed.receiver(), true);
      if (!answered || claimed.attempt() > 1) {
        deliveries.hurry(claimed.receiver(), settings.lease());
      }
      return;
    }
    answering.invalidate(claimed.receiver());
    log.debug("Delivery {} has failed: {}", claimed.id(), result.answer());
    deliveries.settle(
        claimed,
        result,
        isGoneForGood(claimed, result) ? Optional.empty() : Optional.of(pause(claimed, result)),
        settings.giveUpAfter());
  }

  /// A webhook whose receiver is gone waits for somebody; a URL that a run has named is given up.
  private boolean isGoneForGood(ClaimedDelivery claimed, AttemptResult result) {
    return result.status().filter(it -> it == GONE).isPresent()
        && !webhooks.pause(
            claimed.webhook(),
            claimed.url(),
            "its receiver has answered 410 (gone) at %s"
                .formatted(clock.instant().truncatedTo(ChronoUnit.SECONDS)));
  }

  /// Up to 40 percent more, so that what has failed together does not come together.
  private static Duration pause(ClaimedDelivery claimed, AttemptResult result) {
    var own = PAUSES.get(Math.min(claimed.attempt(), PAUSES.size()) - 1);
    var pause = result.retryAfter().filter(it -> it.compareTo(own) > 0).orElse(own);
    return Duration.ofMillis(
        (long) (pause.toMillis() * ThreadLocalRandom.current().nextDouble(1, 1.4)));
  }
}
