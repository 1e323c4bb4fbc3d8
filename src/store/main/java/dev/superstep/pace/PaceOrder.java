package dev.superstep.pace;

import dev.superstep.model.ModelPace.CallTurn;
import dev.superstep.model.ModelPace.Grant;
import dev.superstep.model.ModelPace.PacedCall;
import org.jspecify.annotations.Nullable;

/// What is to be done with the state of a model.
sealed interface PaceOrder {

  /// A call wants its turn. Its thread waits for the answer.
  final class TurnRequest implements PaceOrder {
    private final PacedCall call;
    private volatile @Nullable CallTurn turn;
    private volatile @Nullable RuntimeException failure;

    TurnRequest(PacedCall call) {
      this.call = call;
    }

    PacedCall call() {
      return call;
    }

    boolean isAnswered() {
      return turn != null || failure != null;
    }

    void answer(CallTurn decided) {
      turn = decided;
    }

    void fail(RuntimeException thrown) {
      failure = thrown;
    }

    /// @throws RuntimeException why it could not be answered
    CallTurn turn() {
      var thrown = failure;
      var decided = turn;
      if (thrown != null) {
        throw thrown;
      }
      if (decided == null) {
        throw new IllegalStateException("nobody has answered");
      }
      return decided;
    }
  }

  /// A call has ended.
  ///
  /// @param requests 0: it was not made
  record CallEnd(Grant grant, long requests, long tokens, long ms) implements PaceOrder {}

  /// A call was sent later than it was granted.
  ///
  /// @param at in ms
  record CallSent(Grant grant, long at) implements PaceOrder {}

  /// A call does not want its turn any more.
  record TurnLeft(String call) implements PaceOrder {}

  /// @param until in ms
  record QueuePause(long until) implements PaceOrder {}
}
