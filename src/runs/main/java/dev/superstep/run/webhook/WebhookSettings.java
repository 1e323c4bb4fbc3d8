package dev.superstep.run.webhook;

import dev.superstep.problem.Setting;
import dev.superstep.secret.SecretReference;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// How webhooks are told.
///
/// @param key where a key is kept of which all secrets of webhooks are made; "": none
/// @param max webhooks of a tenant
/// @param timeout for an attempt
/// @param giveUpAfter how long a delivery is tried again
/// @param keep how long a delivery is kept that was made or given up
/// @param payloadMax size of a body; what does not fit is left out
/// @param waitingMax deliveries of a webhook that wait; what comes on top is given up
/// @param inFlightMax attempts of a replica at once
/// @param perReceiverMax of these to one server for one webhook
@ConfigurationProperties("superstep.webhooks")
record WebhookSettings(
    @DefaultValue("") String key,
    @DefaultValue("100") int max,
    @DefaultValue("15s") Duration timeout,
    @DefaultValue("3d") Duration giveUpAfter,
    @DefaultValue("7d") Duration keep,
    @DefaultValue("64KB") DataSize payloadMax,
    @DefaultValue("100000") int waitingMax,
    @DefaultValue("64") int inFlightMax,
    @DefaultValue("4") int perReceiverMax) {
  private static final Duration LEASE_GRACE = Duration.ofSeconds(15);
  private static final Duration YEAR = Duration.ofDays(365);

  WebhookSettings {
    if (!key.isEmpty() && SecretReference.parse(key).isEmpty()) {
      throw new Setting("superstep.webhooks.key").invalid(SecretReference.FORMS);
    }
    new Setting("superstep.webhooks.max").within(0, 10_000, max);
    new Setting("superstep.webhooks.timeout")
        .within(Duration.ofMillis(100), Duration.ofMinutes(5), timeout);
    new Setting("superstep.webhooks.give-up-after")
        .within(Duration.ofSeconds(1), YEAR, giveUpAfter);
    new Setting("superstep.webhooks.keep").within(Duration.ofSeconds(1), YEAR, keep);
    new Setting("superstep.webhooks.payload-max").size(payloadMax);
    new Setting("superstep.webhooks.waiting-max").within(1, 10_000_000, waitingMax);
    new Setting("superstep.webhooks.in-flight-max").within(1, 1_000, inFlightMax);
    new Setting("superstep.webhooks.per-receiver-max").within(1, 100, perReceiverMax);
  }

  /// After how long an attempt of which nothing is heard is made again.
  Duration lease() {
    return timeout.plus(LEASE_GRACE);
  }
}
