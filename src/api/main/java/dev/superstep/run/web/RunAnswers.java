package dev.superstep.run.web;

import dev.superstep.http.RequestBytes;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunProgress;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunView;
import dev.superstep.run.RunWatch;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/// Builds answers that show a run after the call has done its work and waited as long as requested.
@Component
final class RunAnswers {
  /// How long a wait goes on before it is seen that the key of the call has ended.
  private static final Duration KEY_LOOK = Duration.ofSeconds(2);

  private final RunQueries queries;
  private final RunWatch watch;
  private final HttpServletRequest request;
  private final Callers callers;

  /// @param request stands for the current one
  RunAnswers(RunQueries queries, RunWatch watch, HttpServletRequest request, Callers callers) {
    this.request = request;
    this.callers = callers;
    this.queries = queries;
    this.watch = watch;
  }

  /// For calls that start or continue a run: 200 if the wait saw it at rest, else 202.
  ResponseEntity<RunBody> changed(StoredAnswer storedAnswer, Query query) {
    return answer(storedAnswer, query, left(storedAnswer, query), new HttpHeaders());
  }

  /// For calls that create a run: adds its location.
  ResponseEntity<RunBody> made(StoredAnswer storedAnswer, Query query) {
    return answer(storedAnswer, query, left(storedAnswer, query), location(storedAnswer));
  }

  private static HttpHeaders location(StoredAnswer storedAnswer) {
    var headers = new HttpHeaders();
    headers.setLocation(URI.create("/v1/runs/" + Tenant.shown(storedAnswer.resource())));
    return headers;
  }

  /// For calls that start a run which this process may drive: mostly without a query of the
  /// database.
  ResponseEntity<RunBody> started(
      StoredAnswer storedAnswer, Query query, Optional<RunProgress> progress) {
    return answer(
        storedAnswer, query, shown(storedAnswer, query, progress), location(storedAnswer));
  }

  /// For calls that continue a run which this process may drive.
  ResponseEntity<RunBody> changed(
      StoredAnswer storedAnswer, Query query, Optional<RunProgress> progress) {
    return answer(storedAnswer, query, shown(storedAnswer, query, progress), new HttpHeaders());
  }

  private ShownRun shown(StoredAnswer storedAnswer, Query query, Optional<RunProgress> progress) {
    if (progress.isEmpty() || storedAnswer.replayed()) {
      return left(storedAnswer, query);
    }
    return query
        .waiting()
        .map(it -> changed(storedAnswer.resource(), () -> end(progress.get(), it)))
        .orElseGet(() -> new ShownRun(progress.get().initial(), true));
  }

  private RunView end(RunProgress progress, Duration atMost) {
    var run = progress.initial().summary().id();
    RequestBytes.forget(request);
    var deadline = System.nanoTime() + atMost.toNanos();
    try {
      var end = progress.await(atMost.compareTo(KEY_LOOK) < 0 ? atMost : KEY_LOOK);
      if (end.isPresent()) {
        return end.get();
      }
      var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
      watch.awaitRest(run, callers.ended(), left);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return queries.run(run);
  }

  /// What the call has left. A repeated call may find that it was deleted since.
  private ShownRun left(StoredAnswer storedAnswer, Query query) {
    var run = storedAnswer.resource();
    return storedAnswer.replayed()
        ? new ShownRun(read(run, Set.of(), query), true)
        : changed(run, () -> read(run, Set.of(), query));
  }

  /// A call that has changed something does not fail because its answer cannot be read now: the
  /// answer leaves out what is large, and is a 202.
  private ShownRun changed(String run, Supplier<RunView> found) {
    return unlessGone(() -> {
      try {
        return new ShownRun(found.get(), true);
      } catch (ServiceException e) {
        if (!e.isOverCost()) {
          throw e;
        }
        return new ShownRun(queries.run(run, Set.of(RunPart.INPUT, RunPart.OUTPUT)), false);
      }
    });
  }

  private record ShownRun(RunView view, boolean complete) {}

  /// A run that this call has just changed is there, unless the database has gone back: it is not
  /// the caller's mistake, and the call may be repeated.
  private static ShownRun unlessGone(Supplier<ShownRun> found) {
    try {
      return found.get();
    } catch (ServiceException e) {
      if (e.code() != ErrorCode.RUN_NOT_FOUND) {
        throw e;
      }
      throw new ServiceException(
          ErrorCode.DATABASE_UNAVAILABLE,
          "the run was there and is not any more: the database has gone back, or somebody has"
              + " deleted it; repeat the call with the same Idempotency-Key");
    }
  }

  /// @param without what is not wanted of it
  RunView read(String run, Set<RunPart> without, Query query) {
    query.waiting().ifPresent(it -> await(run, it));
    return queries.run(run, without);
  }

  private static ResponseEntity<RunBody> answer(
      StoredAnswer storedAnswer, Query query, ShownRun run, HttpHeaders headers) {
    boolean rested =
        run.complete() && query.waiting().isPresent() && run.view().summary().status().atRest();
    headers.putAll(storedAnswer.headers());
    return ResponseEntity.status(rested ? HttpStatus.OK : HttpStatus.ACCEPTED)
        .headers(headers)
        .body(new RunBody(run.view()));
  }

  private void await(String run, Duration atMost) {
    RequestBytes.forget(request);
    try {
      watch.awaitRest(run, callers.ended(), atMost);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
