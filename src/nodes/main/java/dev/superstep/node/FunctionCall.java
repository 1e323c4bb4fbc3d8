package dev.superstep.node;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The call of a [NodeFunction], beside state and input.
public interface FunctionCall {

  /// The node's `config.arguments`, templates evaluated; `{}` if it has none.
  ObjectValue arguments();

  /// The id of the node.
  String node();

  int superstep();

  /// How many nodes the graph has, `__start__` and `__end__` not counted.
  int numVertices();

  RunHeader run();

  /// The dispatch that activated the node; empty for a plain activation.
  Optional<Dispatch> dispatch();

  /// The answer to what the function asked by [FunctionResult#interrupt], if this call resumes it.
  Optional<Resume> resume();

  /// The node's view of the prompt context.
  PromptContext context();

  /// Publishes an event of type `custom`. Subscribers of the run receive it at once; it is stored
  /// when the task is done, before the events of the result. Of an attempt that fails, or asks,
  /// nothing is stored.
  ///
  /// @param name `[A-Za-z][A-Za-z0-9_.-]{0,63}`
  /// @param data what [PlainData#toValue] takes, at most 64 KB of JSON
  /// @throws IllegalArgumentException if the event is none, or too large
  /// @throws IllegalStateException after 100 events
  void emit(String name, @Nullable Object data);

  /// The durable steps of this task. A pure function has none.
  default Steps steps() {
    throw new UnsupportedOperationException("this call has no steps");
  }

  /// From 1.
  int attempt();

  /// Stable over retries, crashes and takeovers; new after an answer or a state edit (E40). Pass it
  /// to whatever you call that can use it.
  String idempotencyKey();

  /// When the attempt times out; the thread is interrupted then.
  Optional<Instant> deadline();

  /// The database time of the parent checkpoint: the same in every attempt, until the task asks or
  /// sleeps. Use it rather than a clock for anything that enters the state.
  Instant now();
}
