package dev.superstep.engine.node;

import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;

/// Records each of several side effects of a task before the task is done as a whole. A recorded
/// side effect survives crashes, retries, time-outs and questions until the task is done (E10.3):
/// an attempt that finds it need not repeat it. Safe for use by several threads of one attempt.
public interface SideEffects {
  /// Records nothing.
  SideEffects NONE =
      new SideEffects() {
        @Override
        public Optional<Value> find(String name) {
          return Optional.empty();
        }

        @Override
        public void record(String name, Value value) {
          throw new IllegalStateException("this call keeps no parts");
        }

        @Override
        public String idempotencyKey(String name) {
          throw new IllegalStateException("this call keeps no parts");
        }
      };

  /// The value last recorded under the name, by this attempt or an earlier one.
  Optional<Value> find(String name);

  /// Records a value. When this returns it is on disk.
  ///
  /// @throws TaskFailedException with `result_too_large` if there is no room for it
  /// @throws InterruptedException if the attempt is abandoned; the side effect may be lost
  void record(String name, Value value) throws InterruptedException;

  /// Keeps a value in case the attempt is parked: the next one, which goes on from there, finds it
  /// in [#kept]. It is lost with any other end of the attempt, as all that the attempt has done.
  default void keep(String name, Value value) {}

  /// The value that this attempt, or those that were parked before it, kept under the name.
  default Optional<Value> kept(String name) {
    return Optional.empty();
  }

  /// How long the attempt has waited for its side effects to be on disk: while the database is away
  /// they wait, and the time-out of the node with them.
  default Duration waited() {
    return Duration.ZERO;
  }

  /// The key of the named side effect. It is equal in every attempt of the task, and does not
  /// change with answers to its questions.
  String idempotencyKey(String name);
}
