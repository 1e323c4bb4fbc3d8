package dev.superstep.model;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/// Spreads the calls of models that have [ModelLimits], so that all replicas together keep them.
public interface ModelPace {
  /// Of a process that has no other: every call goes at once.
  ModelPace NONE =
      new ModelPace() {
        @Override
        public CallTurn ask(PacedCall call) {
          return new CallTurn.Now(new Grant(call, 0), Duration.ZERO);
        }

        @Override
        public void used(Grant grant, long tokens) {}

        @Override
        public void unused(Grant grant) {}

        @Override
        public void pause(PacedCall call, Duration time) {}
      };

  /// A call that is to be made.
  ///
  /// @param id of the call that its task makes now: one that asks again keeps its place
  /// @param tokens that it takes at most, as far as that is known
  record PacedCall(String model, ModelLimits limits, String id, String tenant, long tokens) {}

  /// What was taken from the allowance for a call.
  ///
  /// @param atMs when it begins, by the clock of the database
  record Grant(PacedCall call, long atMs) {}

  /// The answer to a call that is to be made.
  sealed interface CallTurn {
    /// It begins behind a pause that is too short to be left for. The grant has to be handed back,
    /// [#used] or [#unused].
    record Now(Grant grant, Duration pause) implements CallTurn {}

    /// It has to ask again then; its place in the queue is kept.
    record Later(Duration pause) implements CallTurn {}
  }

  /// Takes a turn, or a place in the queue.
  CallTurn ask(PacedCall call) throws InterruptedException;

  /// The call is sent now, perhaps later than it was granted. Does not wait.
  ///
  /// @return the grant that is to be handed back
  default Grant sent(Grant grant) {
    return grant;
  }

  /// The call has ended. Does not wait.
  ///
  /// @param tokens that it has really taken
  void used(Grant grant, long tokens);

  /// The call was not made. Does not wait.
  void unused(Grant grant);

  /// The provider wants to be left alone by all calls of the model. Does not wait.
  void pause(PacedCall call, Duration time);

  /// The call does not want its turn any more. Does not wait.
  default void leave(PacedCall call) {}

  /// The model has failed. For so long, whoever has another one asks that first, on all replicas.
  /// Does not wait.
  default void cool(String model, Duration time) {}

  /// Those of the models of which that is so now, as far as is known here.
  default Set<String> cooling(Collection<String> models) {
    return Set.of();
  }
}
