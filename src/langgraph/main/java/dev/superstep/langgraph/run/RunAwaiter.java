package dev.superstep.langgraph.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.http.RequestBytes;
import dev.superstep.json.Json;
import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.langgraph.run.StreamPart.ValuesPart;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunWatch;
import dev.superstep.run.stream.EventStreams.StreamPermit;
import dev.superstep.security.ApiScope;
import dev.superstep.security.AuthenticatedCallers;
import dev.superstep.state.value.ObjectValue;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/// Answers calls that wait for a run, however long it takes: line breaks before the answer keep the
/// connection alive.
@Component
@OnLangGraph
class RunAwaiter {
  private static final Logger log = LoggerFactory.getLogger(RunAwaiter.class);

  /// How long the end of a key may go unnoticed.
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final RunWatch watch;
  private final RunQueries queries;
  private final GraphMessages channels;
  private final RunCalls calls;
  private final StreamAnswers streams;
  private final AuthenticatedCallers callers;
  private final HttpServletRequest request;

  /// @param request stands for the current one
  RunAwaiter(
      RunWatch watch,
      RunQueries queries,
      GraphMessages channels,
      RunCalls calls,
      StreamAnswers streams,
      AuthenticatedCallers callers,
      HttpServletRequest request) {
    this.watch = watch;
    this.queries = queries;
    this.channels = channels;
    this.calls = calls;
    this.streams = streams;
    this.callers = callers;
    this.request = request;
  }

  /// Counts as one of the streams of the caller, as long as it waits.
  ///
  /// @param begun begins the call, or finds it; once there is room to wait for it
  /// @param cancels whether the run is cancelled when the client leaves
  /// @throws ServiceException `insufficient_scope` if the caller may not cancel it
  void answer(Supplier<Launched> begun, boolean cancels, HttpServletResponse response)
      throws IOException {
    if (cancels) {
      requireCancelling();
    }
    try (var permit = streams.acquire()) {
      var launched = begun.get();
      RequestBytes.forget(request);
      RunText.locate(launched, response);
      answer(launched, cancels, permit, response);
    }
  }

  /// A call that joins is safe to any browser, which follows links and loads pictures from pages of
  /// others with it: those may not cancel. Pages that may call name their origin.
  ///
  /// @throws ServiceException `forbidden`, `insufficient_scope`
  void requireCancelling() {
    callers.require(List.of(ApiScope.RUN));
    if (HttpMethod.GET.matches(request.getMethod())
        && request.getHeader(HttpHeaders.ORIGIN) == null
        && mayBeOfAnotherSite(request.getHeader("Sec-Fetch-Site"))) {
      throw new ServiceException(
          ErrorCode.FORBIDDEN, "a page of another site may not have a run cancelled");
    }
  }

  /// Without TLS browsers do not say so, and send the cookie of who has signed in.
  private boolean mayBeOfAnotherSite(@Nullable String says) {
    return says == null ? request.getHeader(HttpHeaders.COOKIE) != null : says.equals("cross-site");
  }

  private void answer(
      Launched launched, boolean cancels, StreamPermit permit, HttpServletResponse response)
      throws IOException {
    var call = launched.call();
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    var out = response.getOutputStream();
    try {
      out.write(Json.write(end(launched, cancels, permit, out)).getBytes(UTF_8));
      out.flush();
    } catch (IOException gone) {
      if (cancels) {
        log.debug("the client that waited for run {} left", call.id(), gone);
        streams.cancel(calls.runOf(call));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private ObjectValue end(Launched launched, boolean cancels, StreamPermit permit, OutputStream out)
      throws IOException, InterruptedException {
    var beat = StreamAnswers.heartbeat(cancels);
    var sign = beat.compareTo(LOOK) < 0 ? beat : LOOK;
    long begun = System.nanoTime();
    var state = succeeded(launched, sign);
    if (state.isPresent()) {
      return state.get();
    }
    var call = launched.call();
    var left = sign.minusNanos(System.nanoTime() - begun);
    while (!isOver(call, permit, left)) {
      out.write('\n');
      out.flush();
      left = sign;
    }
    return end(queries.summary(calls.runOf(call)));
  }

  /// Without reading back what this process has just written.
  private Optional<ObjectValue> succeeded(Launched launched, Duration atMost)
      throws InterruptedException {
    if (launched.progress().isEmpty()) {
      return Optional.empty();
    }
    var progress = launched.progress().get();
    var origin = progress.initial().summary().origin();
    return progress.awaitState(atMost).map(channels.of(origin.graph(), origin.version())::toWire);
  }

  /// An error in the answer if it ends before the run does: with a status that asks to try again,
  /// clients would begin a second run.
  private ObjectValue end(RunSummary run) {
    if (!run.status().atRest()) {
      return error(
          ErrorCode.OVERLOADED.code(),
          "the server stops, or the key of this call has ended, while run %s goes on; join that run"
                  .formatted(run.id())
              + " for its end");
    }
    try {
      return values(run);
    } catch (ServiceException e) {
      if (!e.isOverCost()) {
        throw e;
      }
      return error(
          e.code().code(),
          "run %s has ended, and its values cannot be read now; join that run for them"
              .formatted(run.id()));
    }
  }

  /// The state, with the open questions if the run has stopped; the error if it has failed.
  private ObjectValue values(RunSummary run) {
    var error = run.standing().error();
    if (run.status() == RunStatus.FAILED && error.isPresent()) {
      var failure = error.get().error();
      return error(failure.code(), failure.message());
    }
    var state =
        run.times().startedAt().isPresent()
            ? channels
                .of(run.origin().graph(), run.origin().version())
                .toWire(queries.stateWithPending(run.id(), Optional.empty()))
            : ObjectValue.empty();
    return run.status() == RunStatus.INTERRUPTED
        ? new ValuesPart(state, Optional.of(queries.run(run.id()).interrupts())).data()
        : state;
  }

  /// What clients throw as an error.
  private static ObjectValue error(String code, String message) {
    return ObjectValue.of("__error__", ObjectValue.of("error", code).plus("message", message));
  }

  /// Waits for as long as the client may be left without a sign.
  private boolean isOver(RunCall call, StreamPermit permit, Duration sign)
      throws InterruptedException {
    var run = calls.runOf(call);
    watch.awaitRest(run, permit::isStopping, sign);
    // A call that has waited may go on with another run by now.
    var now = calls.runOf(call);
    return permit.isStopping() || (now.equals(run) && queries.summary(run).status().atRest());
  }

  /// Returns when the run is at rest, or after `atMost`.
  void await(String run, Duration atMost) {
    try {
      watch.awaitRest(run, atMost);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
