package dev.superstep.langgraph.thread;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.run.ThreadCheckpointId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Optional;

/// A state of a thread as clients see it.
///
/// @param next names of the nodes that run next
/// @param tasks what is pending, in order
public record StateSnapshot(
    SnapshotHead head, ObjectValue values, List<String> next, List<TaskSnapshot> tasks) {
  public StateSnapshot {
    next = List.copyOf(next);
    tasks = List.copyOf(tasks);
  }

  /// Which checkpoint it is.
  ///
  /// @param names the metadata that say whose it is
  /// @param step counted over all runs of the thread
  public record SnapshotHead(String thread, ShownCheckpoint shown, ObjectValue names, int step) {
    public String checkpoint() {
      return shown.id().text();
    }

    public Optional<String> parent() {
      return shown.parent().map(ThreadCheckpointId::text);
    }

    public String source() {
      return shown.source();
    }

    ObjectValue metadata() {
      return names
          .plus("source", source())
          .plus("step", step)
          .plus("parents", ObjectValue.empty())
          .plus("thread_id", Tenant.shown(thread));
    }

    /// What names the checkpoint in requests.
    public ObjectValue configurable() {
      return configurable(checkpoint());
    }

    /// That of the one before; null: there is none.
    public Value parentConfigurable() {
      return parent().<Value>map(this::configurable).orElse(Value.NULL);
    }

    private ObjectValue configurable(String checkpoint) {
      return ObjectValue.builder()
          .put("thread_id", Tenant.shown(thread))
          .put("checkpoint_ns", "")
          .put("checkpoint_id", checkpoint)
          .put("checkpoint_map", Value.NULL)
          .build();
    }
  }

  /// A task that is pending.
  ///
  /// @param error a text; null: none
  /// @param result what it has changed, if it has ended beside a question; else null
  record TaskSnapshot(
      String id, String name, Value error, List<StoredInterrupt> interrupts, Value result) {
    TaskSnapshot {
      interrupts = List.copyOf(interrupts);
    }

    TaskSnapshot with(Value failure) {
      return new TaskSnapshot(id, name, failure, interrupts, result);
    }

    ObjectValue json() {
      return ObjectValue.builder()
          .put("id", id)
          .put("name", name)
          .put("path", ListValue.texts("__pregel_pull", name))
          .put("error", error)
          .put("interrupts", interruptsJson(interrupts))
          .put("checkpoint", Value.NULL)
          .put("state", Value.NULL)
          .put("result", result)
          .build();
    }
  }

  /// Questions to people.
  public static ListValue interruptsJson(List<StoredInterrupt> interrupts) {
    return ListValue.of(
        interrupts.stream()
            .map(it -> ObjectValue.of("id", it.id()).plus("value", it.question().payload()))
            .toList());
  }

  public ObjectValue json() {
    return json(values, next, tasks)
        .plus("metadata", head.metadata())
        .plus("created_at", head.shown().id().at().toString())
        .plus("checkpoint", head.configurable())
        .plus("parent_checkpoint", head.parentConfigurable());
  }

  /// @param state empty: nothing is committed in the thread
  static ObjectValue json(Optional<StateSnapshot> state) {
    return state
        .map(StateSnapshot::json)
        .orElseGet(() ->
            json(ObjectValue.empty(), List.of(), List.of())
                .plus("metadata", Value.NULL)
                .plus("created_at", Value.NULL)
                .plus("checkpoint", Value.NULL)
                .plus("parent_checkpoint", Value.NULL));
  }

  private static ObjectValue json(ObjectValue values, List<String> next, List<TaskSnapshot> tasks) {
    return ObjectValue.builder()
        .put("values", values)
        .put("next", ListValue.texts(next.toArray(String[]::new)))
        .put("tasks", ListValue.of(tasks.stream().map(TaskSnapshot::json).toList()))
        .put(
            "interrupts",
            interruptsJson(tasks.stream().flatMap(it -> it.interrupts().stream()).toList()))
        .build();
  }
}
