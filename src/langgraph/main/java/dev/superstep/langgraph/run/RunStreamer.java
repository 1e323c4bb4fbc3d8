package dev.superstep.langgraph.run;

import dev.superstep.http.RequestBytes;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCalls.CalledRun;
import dev.superstep.langgraph.run.StreamAnswers.CalledStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Answers with the stream of a run that a call begins, or that is there.
@Component
@OnLangGraph
class RunStreamer {
  private static final String FROM_THE_BEGINNING = "-1";

  private final RunLauncher launcher;
  private final RunCalls calls;
  private final StreamAnswers streams;
  private final RunAwaiter awaiter;
  private final HttpServletRequest current;

  /// @param current stands for the request that is served
  RunStreamer(
      RunLauncher launcher,
      RunCalls calls,
      StreamAnswers streams,
      RunAwaiter awaiter,
      HttpServletRequest current) {
    this.calls = calls;
    this.launcher = launcher;
    this.streams = streams;
    this.awaiter = awaiter;
    this.current = current;
  }

  void begin(
      Optional<String> thread, RunCreate request, IdempotencyKey key, HttpServletResponse response)
      throws IOException {
    try (var permit = streams.acquire()) {
      var launched = launcher.launch(thread, request, key, it -> StreamAnswers.listen(permit, it));
      RequestBytes.forget(current);
      RunText.locate(launched, response);
      var run = launched.call().streamed();
      streams.answer(
          permit,
          new CalledStream(run, calls::now),
          request.stream(),
          StreamPosition.BEGIN,
          response);
    }
  }

  /// What the client wants by this call, else by the one that has begun the run.
  record Joining(@Nullable String lastEvent, QueryWords query) {
    StreamRequest request(CalledRun found) {
      var begun = new RequestReader(found.call().options().kwargs()).stream();
      var modes = query.all("stream_mode");
      return new StreamRequest(
          modes.isEmpty() ? begun.modes() : RequestReader.modes(modes, "/stream_mode"),
          begun.subgraphs(),
          query.flag("cancel_on_disconnect"));
    }
  }

  void join(CalledRun found, Joining joining, HttpServletResponse response) throws IOException {
    var request = joining.request(found);
    if (request.cancels()) {
      awaiter.requireCancelling();
    }
    var last = joining.lastEvent();
    try (var permit = streams.acquire()) {
      RunText.locate(found.call(), response);
      var run = found.call().streamed();
      var from =
          last == null || last.isBlank()
              ? streams.now(run)
              : last.strip().equals(FROM_THE_BEGINNING)
                  ? StreamPosition.BEGIN
                  : StreamPosition.read(last);
      streams.answer(permit, new CalledStream(run, calls::now), request, from, response);
    }
  }
}
