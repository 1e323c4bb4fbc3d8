package dev.superstep.run;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Whom a run tells what happens in it, besides the webhooks of its tenant.
///
/// @param targets in the order of the request
/// @param meta what goes along with every delivery of the run
public record RunWebhooks(List<WebhookTarget> targets, ObjectValue meta) {
  public static final RunWebhooks NONE = new RunWebhooks(List.of(), ObjectValue.empty());

  /// Events that a webhook is told of if it says nothing else.
  public static final Set<String> DEFAULT_EVENTS =
      Set.of("run.succeeded", "run.failed", "run.interrupted", "run.cancelled");

  /// Events that a superstep reports while the run goes on.
  private static final Set<String> OF_SUPERSTEPS =
      Set.of("custom", "message.taken", "message.rejected");

  /// Events that a webhook can be told of.
  public static final Set<String> ALL_EVENTS = all();

  public RunWebhooks {
    targets = List.copyOf(targets);
  }

  /// A URL, and the events of which it is told.
  public record WebhookTarget(String url, Set<String> events) {
    public WebhookTarget {
      events = Set.copyOf(events);
    }
  }

  /// A URL that is told where the run stands.
  public static RunWebhooks ofEnds(String url) {
    return new RunWebhooks(List.of(new WebhookTarget(url, DEFAULT_EVENTS)), ObjectValue.empty());
  }

  private static Set<String> all() {
    var all = new TreeSet<>(DEFAULT_EVENTS);
    all.addAll(OF_SUPERSTEPS);
    all.add("run.waiting");
    return Set.copyOf(all);
  }

  public boolean isEmpty() {
    return targets.isEmpty() && meta.isEmpty();
  }

  /// As rows have it; null: there is nothing.
  public byte @Nullable [] stored() {
    return isEmpty() ? null : Canonical.bytes(value());
  }

  /// How much the run reports: 0 nothing, 1 where it stands, 2 what its supersteps report, too.
  public short level() {
    if (targets.isEmpty()) {
      return 0;
    }
    return (short)
        (targets.stream().flatMap(it -> it.events().stream()).anyMatch(OF_SUPERSTEPS::contains)
            ? 2
            : 1);
  }

  public ObjectValue value() {
    var all =
        targets.stream()
            .map(it ->
                ObjectValue.of("url", it.url())
                    .plus(
                        "events",
                        ListValue.texts(new TreeSet<>(it.events()).toArray(String[]::new))))
            .toList();
    return ObjectValue.of("targets", ListValue.of(all)).plus("meta", meta);
  }

  /// What [#stored] has written.
  public static RunWebhooks read(ObjectValue stored) {
    var targets =
        stored.objects("targets").stream()
            .map(it -> new WebhookTarget(it.textOrEmpty("url"), Set.copyOf(it.texts("events"))))
            .toList();
    return new RunWebhooks(targets, ObjectValue.orEmpty(stored.get("meta")));
  }
}
