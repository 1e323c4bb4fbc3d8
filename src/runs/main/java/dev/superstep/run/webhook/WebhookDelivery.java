package dev.superstep.run.webhook;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// What is sent, or was, to a webhook about an event of a run.
///
/// @param id the header `webhook-id`
/// @param seq of the event
/// @param body what is sent; empty in lists
/// @param standing what has become of it
public record WebhookDelivery(
    String id,
    String webhook,
    String run,
    long seq,
    String type,
    String url,
    Instant createdAt,
    Optional<String> body,
    DeliveryStanding standing) {

  public enum DeliveryStatus {
    PENDING,
    DELIVERED,
    /// It was given up.
    DEAD;

    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// @param attempts since it was made or replayed
  /// @param nextAt when it is sent again
  /// @param answerStatus of HTTP; empty: there was no answer to the last attempt
  /// @param answer the beginning of the last answer, or why there was none
  public record DeliveryStanding(
      DeliveryStatus status,
      int attempts,
      Optional<Instant> attemptedAt,
      Optional<Instant> nextAt,
      Optional<Integer> answerStatus,
      Optional<String> answer) {}
}
