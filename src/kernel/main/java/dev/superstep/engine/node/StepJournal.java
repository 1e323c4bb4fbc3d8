package dev.superstep.engine.node;

import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.TaskFailedException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The steps of a task (E53): calls within the call of a node, each with a result that is on disk
/// before it is used. An attempt that repeats them finds what is recorded, in the order in which
/// its code begins them. It belongs to the thread of the attempt; any thread may [#end] a step.
public interface StepJournal {
  /// Steps of one task.
  int COUNT_MAX = 1_000;

  /// All results of a task's steps together may be so many times as large as one.
  int RESULTS = 16;

  /// Names of steps.
  Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

  /// Records nothing.
  StepJournal NONE =
      new StepJournal() {
        @Override
        public List<JournaledStep> begin(String name, StepKind kind, int count) {
          throw new IllegalStateException("this call has no steps; a pure function has none");
        }

        @Override
        public JournaledStep call(String name, StepKind kind) {
          throw new IllegalStateException("this call has no steps; a pure function has none");
        }

        @Override
        public StepEnd end(JournaledStep step, StepEnd end) {
          throw new IllegalStateException("this call has no steps");
        }

        @Override
        public String idempotencyKey(JournaledStep step) {
          throw new IllegalStateException("this call has no steps");
        }

        @Override
        public Outcome.Interrupted ask(JournaledStep step, InterruptRequest question) {
          throw new IllegalStateException("this call has no steps");
        }

        @Override
        public void finish() {}

        @Override
        public String key() {
          throw new IllegalStateException("this call has no steps");
        }

        @Override
        public Optional<StepRecord> answer() {
          return Optional.empty();
        }
      };

  /// A step that the code has begun.
  ///
  /// @param ordinal its place among the steps of the task, from 0; of a [#call], among those of its
  ///   name
  /// @param end how it has ended before; empty: it is to be made now
  record JournaledStep(int ordinal, String name, StepKind kind, Optional<StepEnd> end) {}

  /// Begins the next `count` steps, which have one name. If any of them is to be made now, the
  /// lease of the run holds when this returns, and all that is known of the steps before is on
  /// disk.
  ///
  /// @throws TaskFailedException with `step_mismatch` if others are recorded at their places, and
  ///   with `too_many_steps`
  /// @throws InterruptedException if the attempt is abandoned
  List<JournaledStep> begin(String name, StepKind kind, int count) throws InterruptedException;

  /// Begins a step that is known by its name, and by how many of that name were begun before: for
  /// code whose calls run side by side, on any thread. The name must say what is called, and with
  /// what. Otherwise it is as for [#begin]; a record that is left over is noticed at the latest
  /// when the code [#finish]es.
  ///
  /// @param kind one that [StepKind#isNamed]
  JournaledStep call(String name, StepKind kind) throws InterruptedException;

  /// Ends a step. When this returns, its result is on disk. A failure is only once another step
  /// begins behind it, or at once if the step may be made once only: an attempt that fails with it
  /// makes the step again.
  ///
  /// @return how it has ended: an attempt that is given up may have recorded it before. A result
  ///   for which there is no room is a failure, `result_too_large`.
  ///
  /// @throws InterruptedException if the attempt is abandoned
  StepEnd end(JournaledStep step, StepEnd end) throws InterruptedException;

  /// The key of a step: equal in every attempt that makes it, and no other step's.
  String idempotencyKey(JournaledStep step);

  /// How the attempt ends for the question of a step to be asked. An answer that was given to it,
  /// and that the code has no use for, is dropped.
  Outcome.Interrupted ask(JournaledStep step, InterruptRequest question);

  /// The code has come to its end. When this returns, all that is known of its steps is on disk.
  ///
  /// @throws TaskFailedException with `step_mismatch` if steps are recorded that it has not begun
  void finish() throws InterruptedException;

  /// The key under which the steps are recorded: for those who make them in place of this call.
  String key();

  /// The step in which the task has asked last, with its answer, as it is to be recorded.
  Optional<StepRecord> answer();
}
