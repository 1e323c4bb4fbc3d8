package dev.superstep.langgraph.thread;

import dev.superstep.run.ThreadCheckpointId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Set;

/// Writes one state of a thread.
///
/// @param names the metadata that say whose it is
/// @param step counted over all runs of the thread
record StateText(String thread, ShownCheckpoint shown, ObjectValue names, int step) {
  private static final Value START = Value.of("__start__");

  /// That of a thread in which nothing is committed.
  static final ObjectValue NONE =
      ObjectValue.builder()
          .put("values", ObjectValue.empty())
          .put("next", ListValue.empty())
          .put("tasks", ListValue.empty())
          .put("interrupts", ListValue.empty())
          .put("metadata", Value.NULL)
          .put("created_at", Value.NULL)
          .put("checkpoint", Value.NULL)
          .put("parent_checkpoint", Value.NULL)
          .build();

  /// @param tasks what is pending, in order
  /// @param ended ids of those that have ended: they are not next
  ObjectValue state(ObjectValue values, ListValue tasks, Set<String> ended) {
    var next = ListValue.builder();
    var interrupts = ListValue.builder();
    for (var task : tasks) {
      if (task instanceof ObjectValue object) {
        if (!(object.get("id") instanceof Value.Text(var id)) || !ended.contains(id)) {
          next.add(object.getOr("name", Value.NULL));
        }
        if (object.get("interrupts") instanceof ListValue asked) {
          asked.forEach(interrupts::add);
        }
      }
    }
    return of(values, next.build(), tasks, interrupts.build());
  }

  ObjectValue beforeInput(ObjectValue values, ListValue tasks) {
    return of(values, ListValue.of(START), tasks, ListValue.empty());
  }

  private ObjectValue of(
      ObjectValue values, ListValue next, ListValue tasks, ListValue interrupts) {
    return ObjectValue.builder()
        .put("values", values)
        .put("next", next)
        .put("tasks", tasks)
        .put("interrupts", interrupts)
        .put("metadata", metadata())
        .put("created_at", Value.of(shown.id().at().toString()))
        .put("checkpoint", checkpoint(shown.id()))
        .put("parent_checkpoint", shown.parent().map(this::checkpoint).orElse(Value.NULL))
        .build();
  }

  ObjectValue metadata() {
    return names
        .plus("source", Value.of(shown.source()))
        .plus("step", Value.of(step))
        .plus("parents", ObjectValue.empty())
        .plus("thread_id", Value.of(thread));
  }

  private Value checkpoint(ThreadCheckpointId id) {
    return checkpoint(thread, id);
  }

  /// What names a checkpoint.
  static ObjectValue checkpoint(String thread, ThreadCheckpointId id) {
    return ObjectValue.builder()
        .put("thread_id", Value.of(thread))
        .put("checkpoint_ns", Value.of(""))
        .put("checkpoint_id", Value.of(id.text()))
        .put("checkpoint_map", Value.NULL)
        .build();
  }
}
