package dev.superstep.engine.node;

import dev.superstep.state.value.Value;
import java.util.Optional;

/// What a task that has several effects knows about each of them before it is done as a whole. A
/// part that is kept survives crashes, retries, time-outs and questions until the task is done
/// (E10.3): an attempt that finds it need not do it again.
///
/// Free to be used by several threads of one attempt.
public interface SideEffects {
  /// A call that keeps none.
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

  /// What this attempt or an earlier one kept last under the name.
  Optional<Value> find(String name);

  /// Keeps a value. When this returns it is on disk, whatever the run's durability.
  ///
  /// @throws TaskFailedException with `result_too_large` if there is no room for it
  /// @throws InterruptedException if the attempt is not wanted any more; the part may be lost
  void record(String name, Value value) throws InterruptedException;

  /// For the effect of that name. It is the same in every attempt of the task, and does not change
  /// with answers to its questions: a part that was answered for is still the same effect.
  String idempotencyKey(String name);
}
