package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.definition.Compiled;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.Continued;
import dev.superstep.run.ForkRun;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.RunService;
import dev.superstep.run.RunService.Started;
import dev.superstep.run.StartRun;
import dev.superstep.run.check.StartChecks;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/// Begins the transactions of all API calls, but for starts and answers, which need none if they
/// are a single statement.
@Service
class Runs implements RunService {
  private final StartChecks startChecks;
  private final Starter starter;
  private final Resumer resumer;
  private final Forker forker;
  private final ThreadQueue queue;
  private final ThreadContinuer continuer;
  private final RunDeleter runDeleter;
  private final AuditLog audit;

  Runs(
      StartChecks startChecks,
      Starter starter,
      Resumer resumer,
      Forker forker,
      ThreadQueue queue,
      ThreadContinuer continuer,
      RunDeleter runDeleter,
      AuditLog audit) {
    this.audit = audit;
    this.continuer = continuer;
    this.startChecks = startChecks;
    this.starter = starter;
    this.resumer = resumer;
    this.forker = forker;
    this.queue = queue;
    this.runDeleter = runDeleter;
  }

  @Override
  public CheckedStart check(StartRun request) {
    return CheckedStart.of(request, () -> startChecks.check(request, starter.graph(request)));
  }

  @Override
  public CheckedStart check(StartRun request, Compiled graph) {
    return CheckedStart.of(request, () -> startChecks.check(request, graph));
  }

  @Override
  public Started start(CheckedStart request, Consumer<String> named) {
    if (!isAlone(request.request())) {
      return audit.inTransaction(() -> starter.start(request, named));
    }
    return request.accepted().remembered().isEmpty()
        ? starter.start(request, named)
        : starter
            .insertRemembered(request, named)
            .orElseGet(() -> starter.start(check(request.request()), named));
  }

  @Override
  public CheckedStart checkRemembering(StartRun request) {
    return isAlone(request)
        ? starter
            .remembered(request)
            .map(shown ->
                CheckedStart.of(
                        request, () -> startChecks.check(request, starter.graph(request, shown)))
                    .remembering(shown))
            .filter(it -> !it.isRefused())
            .orElseGet(() -> check(request))
        : check(request);
  }

  @Override
  public Started startWaiting(CheckedStart request) {
    if (!isAlone(request.request())) {
      return start(request, _ -> {});
    }
    return request.accepted().remembered().isEmpty()
        ? starter.startWaiting(request)
        : starter
            .startRemembered(request, _ -> {})
            .orElseGet(() -> starter.start(check(request.request()), _ -> {}));
  }

  @Override
  public boolean startsEarly() {
    return starter.startsEarly();
  }

  @Override
  public Optional<Started> startRemembered(CheckedStart request, Consumer<String> named) {
    return request.isRefused() ? Optional.empty() : starter.startRemembered(request, named);
  }

  /// Whether its start is a single statement.
  private static boolean isAlone(StartRun request) {
    return request.id().isEmpty() && request.thread().isEmpty();
  }

  @Override
  @Transactional
  public String startAtRest(CheckedStart request) {
    return starter.startAtRest(request);
  }

  @Override
  public CheckedAnswers check(ResumeRun request) {
    if (request.decides()) {
      resumer.requireAnswering();
    }
    return resumer.check(request);
  }

  @Override
  public Resumed resume(ResumeRun request, CheckedAnswers answers) {
    return resumer
        .goOn(request, answers)
        .orElseGet(() ->
            new Resumed(
                request.run(),
                audit.inTransaction(() -> resumeRecorded(request, answers)),
                Optional.empty()));
  }

  /// Answers are recorded where they are committed.
  private long resumeRecorded(ResumeRun request, CheckedAnswers answers) {
    long before = resumer.resume(request, answers);
    if (request.edits()) {
      audit.record(AuditAction.RUN_EDIT, request.run());
    }
    for (var resolution : request.resolutions()) {
      audit.record(AuditAction.TASK_RESOLVE, request.run() + "#" + resolution.taskId());
    }
    if (!request.decides()) {
      audit.record(AuditAction.RUN_RESUME, request.run());
    }
    return before;
  }

  @Override
  public CheckedAnswers check(String interruptId, Value value) {
    resumer.requireAnswering();
    return resumer.check(interruptId, value);
  }

  @Override
  public Resumed answer(String interruptId, Value value, CheckedAnswers answers) {
    return resumer
        .goOn(interruptId, value, answers)
        .orElseGet(() -> audit.inTransaction(() -> resumer.answer(interruptId, value, answers)));
  }

  @Override
  @Transactional
  public void cancel(String run) {
    queue.cancel(run);
    requireAnsweringFor(run);
  }

  /// Whoever ends a run that a task has begun says how that task ends.
  private void requireAnsweringFor(String run) {
    if (resumer.isOfTask(run)) {
      resumer.requireAnswering();
    }
  }

  @Override
  @Transactional
  public void rollBack(String run) {
    queue.rollBackRun(run);
    requireAnsweringFor(run);
  }

  @Override
  @Transactional
  public void endStopped(String thread) {
    queue.endStopped(thread);
  }

  @Override
  @Transactional(propagation = Propagation.MANDATORY)
  public Optional<String> hold(String thread) {
    return queue.hold(thread);
  }

  @Override
  @Transactional
  public Continued goOn(ContinueThread request, CheckedAnswers answers, Consumer<String> named) {
    if (request.work().decides()) {
      resumer.requireAnswering();
    }
    resumer.admitBranch(request);
    var continued = continuer.goOn(request, answers, named);
    if (!continued.nothing()) {
      audit.record(
          request.work().change().isEmpty() ? AuditAction.THREAD_RESUME : AuditAction.THREAD_EDIT,
          request.thread());
    }
    return continued;
  }

  @Override
  public void prepare(ForkRun request) {
    if (request.decides()) {
      resumer.requireAnswering();
    }
    forker.prepare(request);
  }

  @Override
  @Transactional
  public String fork(ForkRun request) {
    resumer.admitFork(request);
    return forker.fork(request);
  }

  @Override
  @Transactional
  public String forkAtRest(ForkRun request) {
    resumer.admitFork(request);
    return forker.forkAtRest(request);
  }

  @Override
  @Transactional
  public void delete(String run) {
    runDeleter.delete(run);
  }

  @Override
  public void deleteThread(String thread) {
    runDeleter.deleteThread(thread);
  }
}
