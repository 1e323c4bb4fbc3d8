package dev.superstep.langgraph.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.http.RequestBytes;
import dev.superstep.json.Json;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.RunWatch;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/// Answers calls that wait for a run, however long it takes: line breaks before the answer keep the
/// connection alive.
@Component
@OnLangGraph
class RunAwaiter {
  private static final Logger log = LoggerFactory.getLogger(RunAwaiter.class);
  private static final Duration SIGN = Duration.ofSeconds(5);

  /// The second write to a client that left fails.
  private static final Duration PULSE = Duration.ofSeconds(1);

  private final RunWatch watch;
  private final RunQueries queries;
  private final RunService runs;
  private final FinalValues values;
  private final HttpServletRequest request;
  private final AtomicBoolean stopping = new AtomicBoolean();

  /// @param request stands for the current one
  RunAwaiter(
      RunWatch watch,
      RunQueries queries,
      RunService runs,
      FinalValues values,
      HttpServletRequest request) {
    this.watch = watch;
    this.queries = queries;
    this.runs = runs;
    this.values = values;
    this.request = request;
  }

  /// @param cancels whether the run is cancelled when the client leaves
  void answer(String run, boolean cancels, HttpServletResponse response) throws IOException {
    RequestBytes.forget(request);
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    var out = response.getOutputStream();
    try {
      var sign = cancels ? PULSE : SIGN;
      while (!isOver(run, sign)) {
        out.write('\n');
        out.flush();
      }
      out.write(Json.write(values.of(queries.summary(run))).getBytes(UTF_8));
      out.flush();
    } catch (IOException gone) {
      if (cancels) {
        cancel(run, gone);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits for as long as the client may be left without a sign.
  private boolean isOver(String run, Duration sign) throws InterruptedException {
    watch.awaitRest(run, sign);
    return stopping.get() || queries.summary(run).status().atRest();
  }

  /// Returns when the run is at rest, or after `atMost`.
  void await(String run, Duration atMost) {
    try {
      watch.awaitRest(run, atMost);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void cancel(String run, IOException gone) {
    log.debug("the client that waited for run {} left", run, gone);
    try {
      if (!queries.summary(run).status().atRest()) {
        runs.cancel(run);
      }
    } catch (ServiceException | DataAccessException e) {
      log.warn("Run {} continues: its client left, and it could not be cancelled", run, e);
    }
  }

  @EventListener
  void stop(ContextClosedEvent closed) {
    stopping.set(true);
  }
}
