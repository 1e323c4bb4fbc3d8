package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// A call without input that goes on with a thread. What that means is decided under the lock of
/// the thread, from its state then: a run that has stopped is resumed; from one that has ended a
/// fork goes on with what is pending; a question that is not answered stays open.
///
/// @param from the checkpoint to go on from; empty, or if it is the newest: whatever is the newest
/// @param ifBusy what happens if a run of the thread is active and does not stand
public record ContinueThread(
    String thread,
    Optional<CheckpointRef> from,
    ThreadWork work,
    ThreadSettings given,
    IfBusy ifBusy) {

  /// @param answer to the open question, or an object of questions and their answers
  /// @param change edits the state before anything runs
  /// @param goTo nodes that are activated besides what is pending
  /// @param ends drops what is pending; nothing else is asked for
  public record ThreadWork(Optional<Value> answer, Change change, List<String> goTo, boolean ends) {
    public ThreadWork {
      goTo = List.copyOf(goTo);
    }

    /// Whether it answers, edits, or says what runs next in place of a node.
    public boolean decides() {
      return answer.isPresent() || !change.isEmpty() || !goTo.isEmpty() || ends;
    }

    /// Whether it only goes on with what is pending.
    public boolean isPlain() {
      return answer.isEmpty() && change.isEmpty() && goTo.isEmpty() && !ends;
    }
  }

  /// Settings, which hold whatever the call becomes.
  ///
  /// @param supersteps how many more may be done
  /// @param variables of the prompt context, if the graph keeps one
  public record ThreadSettings(
      Optional<Integer> supersteps, ObjectValue variables, SettingsChange settings) {}

  /// What a call has become.
  ///
  /// @param run that it has begun or resumed, or that stays as it is
  /// @param after the `seq` behind which its events are; 0 of a run that it has begun
  /// @param checkpoint the number behind which its checkpoints are; -1 of a run that it has begun
  /// @param nothing whether there was nothing to go on with
  public record Continued(String run, long after, int checkpoint, boolean nothing) {
    /// Whether the call has a run of its own.
    public boolean isNew() {
      return !nothing && checkpoint < 0;
    }

    public static Continued started(String run) {
      return new Continued(run, 0, -1, false);
    }

    public static Continued nothing(String run) {
      return new Continued(run, 0, -1, true);
    }
  }

  /// A call whose turn has come, published in the transaction that carries it out: the run that has
  /// waited for it is erased there, for the call goes on with another one.
  public record TurnTaken(String waited, String thread, Continued continued) {}
}
