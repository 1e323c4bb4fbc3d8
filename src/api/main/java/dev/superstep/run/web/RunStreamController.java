package dev.superstep.run.web;

import dev.superstep.http.Located;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.RequestBytes;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.IfBusy;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.stream.EventId;
import dev.superstep.run.stream.EventStream.EventStreamEnd;
import dev.superstep.run.stream.EventStream.Wanted;
import dev.superstep.run.stream.EventStreams;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.trace.Traceparents;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/// Starts a run and streams its events in the answer.
@Tag(name = "Runs", description = "Start, look at, continue and end runs")
@RestController
class RunStreamController {
  private static final Logger log = LoggerFactory.getLogger(RunStreamController.class);

  private final RunService runs;
  private final RunQueries queries;
  private final EventStreams streams;
  private final SseFormat format;
  private final Idempotency idempotency;
  private final Traceparents traces;
  private final HttpServletRequest current;

  /// @param current stands for the request that is served
  RunStreamController(
      RunService runs,
      RunQueries queries,
      EventStreams streams,
      SseFormat format,
      Idempotency idempotency,
      Traceparents traces,
      HttpServletRequest current) {
    this.current = current;
    this.format = format;
    this.runs = runs;
    this.queries = queries;
    this.traces = traces;
    this.streams = streams;
    this.idempotency = idempotency;
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "streamRun")
  @Idempotent
  @Located
  @Streams
  @QueryParameters("on_disconnect")
  @Fails({
    ErrorCode.GRAPH_NOT_FOUND,
    ErrorCode.VERSION_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.THREAD_BUSY,
    ErrorCode.RUN_EXISTS,
    ErrorCode.INVALID_INPUT,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.BUDGET_EXHAUSTED,
    ErrorCode.STORAGE_QUOTA_EXCEEDED,
    ErrorCode.STREAM_QUOTA_EXCEEDED,
    ErrorCode.OVERLOADED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(
      path = "/v1/runs/stream",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
  void stream(
      @RequestBody StartRunBody body,
      @RequestHeader(name = "traceparent", required = false) @Parameter(hidden = true)
          @Nullable String traceparent,
      IdempotencyKey key,
      Query query,
      HttpServletResponse response)
      throws IOException {
    var request = body.read().within(traces.of(traceparent));
    if (request.options().ifBusy() == IfBusy.STEER) {
      throw ServiceException.at(
          "/if_busy",
          ErrorCode.INVALID_VALUE,
          "a stream is of the run that it starts; steer with POST /v1/runs");
    }
    var wanted = streams.wanted(new EventId(0, 0), query);
    var sink = format.of(query);
    var leaving =
        query
            .oneOf("on_disconnect", OnDisconnect.values(), OnDisconnect::apiName)
            .orElse(OnDisconnect.CONTINUE);
    try (var permit = streams.acquire()) {
      var checked = runs.check(request);
      var storedAnswer =
          idempotency.once(
              key,
              () -> {
                var started = runs.start(checked, it -> permit.listen(it, wanted.filter()));
                return new StoredAnswer(HttpStatus.OK.value(), started.run(), started.replayed());
              });
      response.setHeader(HttpHeaders.LOCATION, "/v1/runs/" + storedAnswer.resource());
      storedAnswer.headers().forEach((name, values) -> response.setHeader(name, values.getFirst()));
      RequestBytes.forget(current);
      var end = permit.stream(storedAnswer.resource(), leaving.pulsed(wanted), response, sink);
      if (leaving == OnDisconnect.CANCEL && end instanceof EventStreamEnd.Gone) {
        cancel(storedAnswer.resource());
      }
    }
  }

  /// A client that was sent the rest of its run left because the stream was over.
  private void cancel(String run) {
    try {
      if (!queries.summary(run).status().atRest()) {
        runs.cancel(run);
      }
    } catch (ServiceException over) {
      log.debug("the client of run {} left, and there was nothing to cancel", run, over);
    } catch (DataAccessException | TransactionException e) {
      log.warn("Run {} continues: its client left, and it could not be cancelled", run, e);
    }
  }

  /// What happens to a run whose client disconnects.
  private enum OnDisconnect {
    /// Nothing: the run does not depend on a connection.
    CONTINUE,
    /// It is cancelled.
    CANCEL;

    /// The second write to a client that left fails.
    private static final Duration PULSE = Duration.ofSeconds(1);

    String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// This stream with a heartbeat short enough to detect that the client has left.
    Wanted pulsed(Wanted wanted) {
      return this == CANCEL && wanted.heartbeat().compareTo(PULSE) > 0
          ? new Wanted(wanted.after(), wanted.filter(), wanted.end(), PULSE)
          : wanted;
    }
  }
}
