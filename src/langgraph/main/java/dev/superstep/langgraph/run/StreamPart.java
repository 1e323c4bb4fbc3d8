package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.WireMessage;
import dev.superstep.langgraph.thread.StateSnapshot;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// An event of the stream of a run. It is written as [#event] and [#data] by streams of runs;
/// streams of threads write it in a form of their own ([ProtocolFrames]).
sealed interface StreamPart {

  /// The JSON that streams of runs write.
  Value data();

  /// As streams of runs name it.
  default String event() {
    return switch (this) {
      case RunMetadata _ -> "metadata";
      case ValuesPart _ -> "values";
      case NodeUpdate _, InterruptUpdate _ -> "updates";
      case TaskPayload _, TaskResultPayload _ -> "tasks";
      case CheckpointPayload _ -> "checkpoints";
      case DebugPayload _ -> "debug";
      case MessageChunk _, MessageEnd _ -> "messages";
      case MessageIntroduction _ -> "messages/metadata";
      case PartialMessage _ -> "messages/partial";
      case CompleteMessage _ -> "messages/complete";
      case CustomData _ -> "custom";
      case ToolStart _, ToolEnd _ -> "tools";
      case RunLifecycle _ -> "lifecycle";
      case RunError _ -> "error";
      case StreamRewound _ -> "rewound";
    };
  }

  /// The first of each stream, and what says that tasks which have not ended begin again.
  ///
  /// @param attempt 1 more than drivers were lost since something was committed
  record RunMetadata(StreamedRun run, long attempt) implements StreamPart {
    @Override
    public Value data() {
      return ObjectValue.of("attempt", attempt)
          .plus("run_id", Tenant.shown(run.id()))
          .plus("thread_id", Tenant.shown(run.thread()));
    }
  }

  /// A state.
  ///
  /// @param interrupts with which the run has stopped there
  record ValuesPart(ObjectValue state, Optional<List<StoredInterrupt>> interrupts)
      implements StreamPart {
    ValuesPart(ObjectValue state) {
      this(state, Optional.empty());
    }

    @Override
    public ObjectValue data() {
      return interrupts
          .map(it -> state.plus(InterruptUpdate.KEY, StateSnapshot.interruptsJson(it)))
          .orElse(state);
    }
  }

  /// What a node has changed.
  ///
  /// @param change channel → value; null: nothing
  /// @param isCached whether it was written before the run stopped
  record NodeUpdate(String node, Value change, boolean isCached) implements StreamPart {
    @Override
    public Value data() {
      var update = ObjectValue.of(node, change);
      return isCached ? update.plus("__metadata__", ObjectValue.of("cached", Value.TRUE)) : update;
    }
  }

  /// A run has stopped: at questions, or, without any, at a breakpoint.
  record InterruptUpdate(List<StoredInterrupt> interrupts) implements StreamPart {
    private static final String KEY = "__interrupt__";

    @Override
    public Value data() {
      return ObjectValue.of(KEY, StateSnapshot.interruptsJson(interrupts));
    }
  }

  /// A task begins.
  record TaskPayload(String id, String name, ObjectValue input) implements StreamPart {
    @Override
    public ObjectValue data() {
      return ObjectValue.builder()
          .put("id", id)
          .put("name", name)
          .put("input", input)
          .put("triggers", ListValue.empty())
          .put("interrupts", ListValue.empty())
          .build();
    }
  }

  /// A task has ended.
  record TaskResultPayload(
      String id,
      String name,
      Value result,
      Optional<String> error,
      List<StoredInterrupt> interrupts)
      implements StreamPart {
    @Override
    public ObjectValue data() {
      return ObjectValue.builder()
          .put("id", id)
          .put("name", name)
          .put("result", result)
          .put("error", error.map(Value::of).orElse(Value.NULL))
          .put("interrupts", StateSnapshot.interruptsJson(interrupts))
          .build();
    }
  }

  record CheckpointPayload(StateSnapshot state) implements StreamPart {
    @Override
    public ObjectValue data() {
      return state
          .json()
          .plus("config", config(state.head().configurable()))
          .plus("parent_config", config(state.head().parentConfigurable()));
    }

    private static Value config(Value checkpoint) {
      return checkpoint instanceof Value.Null
          ? Value.NULL
          : ObjectValue.of("configurable", checkpoint);
    }
  }

  /// A checkpoint or a task, for debuggers.
  ///
  /// @param type `checkpoint`, `task` or `task_result`
  /// @param step of the thread
  record DebugPayload(String type, long step, Instant at, StreamPart payload)
      implements StreamPart {
    @Override
    public Value data() {
      return ObjectValue.builder()
          .put("step", step)
          .put("timestamp", at.toString())
          .put("type", type)
          .put("payload", payload.data())
          .build();
    }
  }

  /// Where a message comes from.
  ///
  /// @param stored the stored run of the task
  record MessageOrigin(StreamedRun run, String stored, TaskKey task) {
    String node() {
      return task.node().value();
    }

    String namespace() {
      return CheckpointNamespace.of(stored, task);
    }

    private ObjectValue json() {
      return ObjectValue.builder()
          .put("langgraph_node", node())
          .put("langgraph_step", task.superstep())
          .put("langgraph_checkpoint_ns", namespace())
          .put("checkpoint_ns", namespace())
          .put("run_id", Tenant.shown(run.id()))
          .put("thread_id", Tenant.shown(run.thread()))
          .put("assistant_id", Tenant.shown(run.assistant()))
          .put("tags", ListValue.empty())
          .build();
    }
  }

  /// A piece of a message that its model is writing.
  record MessageChunk(String id, String text, MessageOrigin origin) implements StreamPart {
    @Override
    public Value data() {
      return ListValue.of(WireMessage.chunk(id, text), origin.json());
    }
  }

  /// A message of a task that has committed.
  ///
  /// @param streamed how many code points of its text the client has got as chunks; empty: it has
  ///   got none, and gets the whole message
  record MessageEnd(WireMessage message, MessageOrigin origin, OptionalLong streamed)
      implements StreamPart {
    @Override
    public Value data() {
      var rest = streamed.isPresent() ? message.lastChunk(streamed.getAsLong()) : message.json();
      return ListValue.of(rest, origin.json());
    }
  }

  /// Where the message of this id, which follows, comes from.
  record MessageIntroduction(String id, MessageOrigin origin) implements StreamPart {
    @Override
    public Value data() {
      return ObjectValue.of(id, ObjectValue.of("metadata", origin.json()));
    }
  }

  /// @param text all of it so far
  record PartialMessage(String id, String text) implements StreamPart {
    @Override
    public Value data() {
      return ListValue.of(WireMessage.chunk(id, text).plus("type", "ai"));
    }
  }

  record CompleteMessage(WireMessage message) implements StreamPart {
    @Override
    public Value data() {
      return ListValue.of(message.json());
    }
  }

  /// What a node reports.
  record CustomData(Value data) implements StreamPart {}

  /// A message asks for a call of a tool.
  ///
  /// @param call as the message has it
  record ToolStart(ObjectValue call) implements StreamPart {
    Value id() {
      return call.getOr("id", Value.NULL);
    }

    Value name() {
      return call.getOr("name", Value.NULL);
    }

    Value input() {
      return call.getOr("arguments", Value.NULL);
    }

    @Override
    public Value data() {
      return ObjectValue.builder()
          .put("event", "on_tool_start")
          .put("toolCallId", id())
          .put("name", name())
          .put("input", input())
          .build();
    }
  }

  /// A tool has answered a call.
  record ToolEnd(WireMessage answer) implements StreamPart {
    Value id() {
      return answer.stored().getOr("tool_call_id", Value.NULL);
    }

    Value name() {
      return answer.stored().getOr("name", Value.NULL);
    }

    /// The output, or the error.
    Value content() {
      return answer.stored().getOr("content", Value.NULL);
    }

    @Override
    public Value data() {
      return ObjectValue.builder()
          .put("event", answer.isError() ? "on_tool_error" : "on_tool_end")
          .put("toolCallId", id())
          .put("name", name())
          .put(answer.isError() ? "error" : "output", content())
          .build();
    }
  }

  /// @param state `started`, `completed`, `failed` or `interrupted`
  record RunLifecycle(String state, CheckpointNamespace namespace) implements StreamPart {
    @Override
    public Value data() {
      return ObjectValue.of("event", state).plus("namespace", namespace.json());
    }
  }

  record RunError(Value code, Value message) implements StreamPart {
    @Override
    public Value data() {
      return ObjectValue.of("error", code).plus("message", message);
    }
  }

  /// The database has gone back: states that follow replace those that the client has got.
  ///
  /// @param through the `seq` of the last event that is still valid; 0: it is not known
  record StreamRewound(String run, long through) implements StreamPart {
    @Override
    public Value data() {
      return ObjectValue.of("run_id", Tenant.shown(run)).plus("valid_through", through);
    }
  }
}
