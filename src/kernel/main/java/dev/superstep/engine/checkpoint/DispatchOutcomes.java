package dev.superstep.engine.checkpoint;

import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How the dispatches under a policy have ended, as expressions see it: `succeeded`, `failed` and
/// `cancelled`, each a list in the order of the dispatches (E54).
public final class DispatchOutcomes {
  private static final String SUCCEEDED = "succeeded";
  private static final String FAILED = "failed";
  private static final String CANCELLED = "cancelled";
  private static final List<String> LISTS = List.of(SUCCEEDED, FAILED, CANCELLED);
  private static final String FROM = "from";
  private static final String ERROR = "error";
  private static final String MESSAGE = "message";

  /// Of the message of one failure, in characters.
  private static final int MESSAGE_MAX = 1_000;

  /// Of all messages together; those behind have none.
  static final int MESSAGES_MAX = 1 << 20;

  private DispatchOutcomes() {}

  /// @param activations that the superstep ran, in the order in which they were emitted
  /// @param records of its tasks
  /// @param earlier that may stay beside them
  /// @return `{}`: none of them has a policy
  public static ObjectValue of(
      List<Activation> activations, List<TaskRecord> records, ObjectValue earlier) {
    if (activations.stream().noneMatch(DispatchOutcomes::hasPolicy)) {
      return ObjectValue.empty();
    }
    var ended = new HashMap<String, TaskRecord>();
    for (var record : records) {
      if (record.key().dispatchId() != null) {
        ended.put(record.key().dispatchId(), record);
      }
    }
    var outcomes = ObjectValue.empty();
    int left = Math.max(0, MESSAGES_MAX - messageChars(earlier));
    var places = new HashMap<TaskKey, Integer>();
    for (var activation : activations) {
      if (activation instanceof Activation.Sent(var dispatch) && dispatch.by() != null) {
        int place = places.merge(dispatch.by(), 1, Integer::sum) - 1;
        var record = ended.get(dispatch.id());
        if (record != null) {
          var entry = entry(dispatch, dispatch.by(), place);
          var error = error(record);
          if (error != null) {
            var message = start(error.message(), Math.min(MESSAGE_MAX, left));
            left -= message.length();
            entry =
                entry.plus(
                    ERROR, ObjectValue.of("code", error.code()).plus(MESSAGE, Value.of(message)));
          }
          var list = list(record);
          outcomes = outcomes.plus(list, outcomes.listOrEmpty(list).plus(entry));
        }
      }
    }
    return outcomes;
  }

  /// What there will be to tell of it, in canonical bytes, without an error; 0: it has no policy.
  public static long size(Activation activation) {
    return activation instanceof Activation.Sent(var dispatch) && dispatch.by() != null
        ? Canonical.size(entry(dispatch, dispatch.by(), 0))
        : 0;
  }

  private static String start(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean splits = max > 0 && Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, splits ? max - 1 : max);
  }

  private static int messageChars(ObjectValue outcomes) {
    return outcomes
        .listOrEmpty(FAILED)
        .items(ObjectValue.class)
        .mapToInt(it -> it.objectOrEmpty(ERROR).textOrEmpty(MESSAGE).length())
        .sum();
  }

  private static boolean hasPolicy(Activation activation) {
    return activation instanceof Activation.Sent(var dispatch) && dispatch.by() != null;
  }

  private static String list(TaskRecord record) {
    return switch (record.ended()) {
      case TaskStatus.Done _ -> SUCCEEDED;
      case TaskStatus.Cancelled _ -> CANCELLED;
      case TaskStatus.Failed _, TaskStatus.Rejected _, TaskStatus.Handled _ -> FAILED;
    };
  }

  private static ObjectValue entry(Dispatch dispatch, TaskKey by, int place) {
    return ObjectValue.of("id", dispatch.id())
        .plus("node", dispatch.node().value())
        .plus(FROM, by.node().value())
        .plus("index", place)
        .plus("metadata", dispatch.metadata());
  }

  private static @Nullable TaskError error(TaskRecord record) {
    return switch (record.ended()) {
      case TaskStatus.Failed(var error) -> error;
      case TaskStatus.Rejected(_, var error) -> error;
      case TaskStatus.Handled(var error, _) -> error;
      case TaskStatus.Done _, TaskStatus.Cancelled _ -> null;
    };
  }

  /// Earlier outcomes, with these in place of those from the same nodes.
  public static ObjectValue behind(ObjectValue earlier, ObjectValue outcomes) {
    if (earlier.isEmpty() || outcomes.isEmpty()) {
      return outcomes.isEmpty() ? earlier : outcomes;
    }
    var anew =
        LISTS.stream()
            .flatMap(it -> outcomes.listOrEmpty(it).items(ObjectValue.class))
            .map(it -> it.textOrEmpty(FROM))
            .collect(Collectors.toSet());
    var all = ObjectValue.empty();
    for (var list : LISTS) {
      var kept =
          earlier
              .listOrEmpty(list)
              .filter(it ->
                  !(it instanceof ObjectValue entry && anew.contains(entry.textOrEmpty(FROM))));
      all = all.plus(list, kept.plusAll(outcomes.listOrEmpty(list)));
    }
    return all;
  }

  /// Whether any of the nodes that they are about has arrived where others are waited for.
  ///
  /// @param arrivals sources that have arrived, by join
  public static boolean isAwaited(ObjectValue outcomes, Collection<Set<NodeId>> arrivals) {
    return !outcomes.isEmpty()
        && LISTS.stream()
            .flatMap(it -> outcomes.listOrEmpty(it).items(ObjectValue.class))
            .map(it -> new NodeId(it.textOrEmpty("node")))
            .distinct()
            .anyMatch(it -> arrivals.stream().anyMatch(sources -> sources.contains(it)));
  }

  /// With all three lists.
  public static Value shown(ObjectValue outcomes) {
    var all = outcomes;
    for (var list : LISTS) {
      all = all.has(list) ? all : all.plus(list, ListValue.empty());
    }
    return all;
  }
}
