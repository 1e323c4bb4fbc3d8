package dev.superstep.run.webhook;

import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Somebody who is told what happens in the runs of a tenant.
///
/// @param url empty: each run names its own
/// @param graphs of whose runs it is told, as rows have them; empty: all
/// @param paused deliveries wait
/// @param pausedBecause empty: somebody wanted it
/// @param appliesFrom it is told what is committed from then on
/// @param previousEndsAt until when deliveries are signed with the secret from before, too
public record Webhook(
    String id,
    Tenant tenant,
    Optional<String> url,
    Set<String> events,
    List<String> graphs,
    String description,
    boolean paused,
    Optional<String> pausedBecause,
    Instant appliesFrom,
    Optional<Instant> previousEndsAt) {
  public Webhook {
    events = Set.copyOf(events);
    graphs = List.copyOf(graphs);
  }

  /// Whether it is told of runs of a graph.
  boolean follows(String graph) {
    return url.isPresent() && (graphs.isEmpty() || graphs.contains(graph));
  }

  /// One that was just made or has got another secret.
  ///
  /// @param secret what it verifies deliveries with; shown now and never again
  public record WebhookWithSecret(Webhook webhook, String secret) {
    @Override
    public String toString() {
      return "WebhookWithSecret[" + webhook.id() + "]";
    }
  }
}
