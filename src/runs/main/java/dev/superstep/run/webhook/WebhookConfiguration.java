package dev.superstep.run.webhook;

import dev.superstep.database.LoggedFailure;
import dev.superstep.run.webhook.DeliveryRows.WebhookWork;
import dev.superstep.schedule.RecurringJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Has one replica at a time make and send deliveries.
@Configuration(proxyBeanMethods = false)
class WebhookConfiguration {
  private static final Logger log = LoggerFactory.getLogger(WebhookConfiguration.class);
  private static final Duration BETWEEN_TURNS = Duration.ofSeconds(1);

  /// Where there is no webhook.
  private static final Duration UNUSED = Duration.ofSeconds(5);

  private static final Duration CATCHING_UP_MAX = Duration.ofMillis(500);
  private static final Duration TURN_MAX = Duration.ofSeconds(2);

  /// No statement that inserts a run takes as long.
  private static final Duration SETTLED = Duration.ofMinutes(1);

  private static final Duration BETWEEN_PURGES = Duration.ofMinutes(1);
  private static final int BATCH = 1_000;
  private static final int PURGED_BATCHES_MAX = 200;
  private static final int REPORTS_IN_A_ROW = 10;

  @Bean
  RecurringJob sendWebhooks(
      RunReports reports, DeliverySender sender, DeliveryRows deliveries, WebhookRows webhooks) {
    var turn = new SendingTurn(reports, sender, deliveries, webhooks);
    return new RecurringJob(
        "send-webhooks", () -> turn.isUsed ? BETWEEN_TURNS : UNUSED, turn::take);
  }

  @Bean
  RecurringJob purgeDeliveries(DeliveryRows deliveries, WebhookSettings settings) {
    return new RecurringJob(
        "purge-deliveries",
        BETWEEN_PURGES,
        () -> {
          repeat(() -> deliveries.purge(settings.keep(), BATCH));
          repeat(() -> deliveries.purgeOrphans(BATCH));
        });
  }

  private static void repeat(IntSupplier batch) {
    for (int i = 0; i < PURGED_BATCHES_MAX && batch.getAsInt() == BATCH; i++) {}
  }

  /// What is due at a time.
  private static final class SendingTurn {
    private final RunReports reports;
    private final DeliverySender sender;
    private final DeliveryRows deliveries;
    private final WebhookRows webhooks;

    /// Webhooks whose runs this process has looked for, of those that are new.
    private final Set<String> lookedFor = new HashSet<>();

    private volatile boolean isUsed = true;

    SendingTurn(
        RunReports reports, DeliverySender sender, DeliveryRows deliveries, WebhookRows webhooks) {
      this.reports = reports;
      this.sender = sender;
      this.deliveries = deliveries;
      this.webhooks = webhooks;
    }

    synchronized void take() {
      var work = deliveries.work();
      isUsed = work != WebhookWork.NEVER;
      if (work != WebhookWork.NOW) {
        return;
      }
      long end = System.nanoTime() + TURN_MAX.toNanos();
      attempt("Reports of runs cannot be read", () -> report(end));
      long caughtUp = System.nanoTime() + CATCHING_UP_MAX.toNanos();
      attempt("Runs of new webhooks cannot be looked for", () -> catchUp(caughtUp));
      attempt("Webhooks cannot be sent to", sender::sendDue);
    }

    /// What fails does not keep the rest from being done.
    private static void attempt(String failing, Runnable part) {
      try {
        part.run();
      } catch (RuntimeException e) {
        log.warn("{} yet: {}", failing, new LoggedFailure(e));
        log.debug("{}", failing, e);
      }
    }

    /// Tenants in turn: one whose runs report much holds up no other.
    private void report(long end) {
      boolean more = true;
      while (more) {
        more = false;
        var tenants = new ArrayList<>(reports.dueTenants());
        Collections.shuffle(tenants);
        for (var tenant : tenants) {
          more |= report(tenant, end);
          sender.sendDue();
        }
      }
    }

    /// @return whether there may be more, and time for it
    private boolean report(String tenant, long end) {
      for (int i = 0; i < REPORTS_IN_A_ROW; i++) {
        if (System.nanoTime() - end >= 0
            || Thread.currentThread().isInterrupted()
            || !reports.step(tenant)) {
          return false;
        }
      }
      return true;
    }

    /// Once when a webhook is new, and once when all runs begin with the knowledge of it.
    private void catchUp(long end) {
      for (var catchUp : webhooks.catchUps(SETTLED)) {
        if (!lookedFor.contains(catchUp.webhook()) || catchUp.settled()) {
          int found = BATCH;
          while (found == BATCH && System.nanoTime() - end < 0) {
            found = webhooks.catchUp(catchUp.webhook(), BATCH);
          }
          if (found < BATCH && catchUp.settled()) {
            webhooks.caughtUp(catchUp.webhook());
            lookedFor.remove(catchUp.webhook());
          } else if (found < BATCH) {
            lookedFor.add(catchUp.webhook());
          }
        }
      }
    }
  }
}
