package dev.superstep.run;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Value;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.stereotype.Component;

/// Lets runs that stopped go on (E34, E38, E39, E42). Runs in the caller's transaction, under the
/// lock of the run's row.
@Component
class Resumer {
  private final Lookups lookups;
  private final Answerer answerer;
  private final Questions questions;
  private final Mending mending;
  private final Restart restart;

  Resumer(
      Lookups lookups, Answerer answerer, Questions questions, Mending mending, Restart restart) {
    this.lookups = lookups;
    this.answerer = answerer;
    this.questions = questions;
    this.mending = mending;
    this.restart = restart;
  }

  /// @return id of the run
  String answer(String interruptId, Value value) {
    var id = questions.find(interruptId).place().run();
    var run = lookups.lock(id);
    // Read again, now that neither its driver nor anybody else can close it.
    answerer.answer(questions.find(interruptId), value, "/value");
    run.countAnswers(1);
    goOn(run);
    return id;
  }

  void resume(ResumeRun request) {
    var run = lookups.lock(request.run());
    switch (run.status()) {
      case SUCCEEDED, CANCELLED ->
          throw new ServiceException(
              ErrorCode.RUN_ENDED,
              "the run has %s; fork it to go on from one of its checkpoints"
                  .formatted(run.status().name().toLowerCase(Locale.ROOT)));
      case QUEUED, RUNNING, WAITING, INTERRUPTED, FAILED, CANCELLING -> {}
    }
    boolean mended = mending.mend(run, request);
    answerer.answerAll(run.id(), request.answers());
    run.countAnswers(request.answers().size());
    if (!mended && request.answers().isEmpty()) {
      throw nothingToResume(run);
    }
    goOn(run);
  }

  /// A run that is driven or queued finds by itself what has been committed. One that has come to a
  /// limit keeps the answer until it is resumed with a higher one (E39).
  private void goOn(RunEntity run) {
    if (run.resting() && mending.resumable(run)) {
      restart.restart(run);
    }
  }

  private ServiceException nothingToResume(RunEntity run) {
    var open = questions.open(run.id()).stream().map(InterruptView::id).toList();
    return new ServiceException(
        ErrorCode.NOTHING_TO_RESUME,
        open.isEmpty()
            ? "nothing of this run has failed, and it stands at no breakpoint"
            : "the run waits for answers; send them in answers or to /v1/interrupts/{id}/answer",
        List.of(),
        Map.of("interrupts", open));
  }
}
