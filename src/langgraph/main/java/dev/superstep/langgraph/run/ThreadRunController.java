package dev.superstep.langgraph.run;

import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.langgraph.RequestedMembers;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.langgraph.run.RunCalls.CalledRun;
import dev.superstep.langgraph.run.RunStreamer.Joining;
import dev.superstep.problem.ErrorCode;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;

/// Serves the runs of threads.
@Tag(name = "Thread runs", description = "Runs that continue a conversation")
@LangGraphController
@Fails({
  ErrorCode.THREAD_NOT_FOUND,
  ErrorCode.RUN_NOT_FOUND,
  ErrorCode.ASSISTANT_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
  ErrorCode.CHECKPOINT_NOT_FOUND,
  ErrorCode.THREAD_BUSY,
  ErrorCode.RUN_ACTIVE,
  ErrorCode.RUN_EXISTS,
  ErrorCode.INVALID_HEADER,
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
@RequestMapping("/threads/{thread}/runs")
class ThreadRunController {
  private static final int LIST_MAX = 100;

  private final RunRequests requests;
  private final RunLauncher launcher;
  private final RunCalls calls;
  private final RunStreamer streamer;
  private final RunAwaiter awaiter;
  private final RunEnder ender;

  ThreadRunController(
      RunRequests requests,
      RunLauncher launcher,
      RunCalls calls,
      RunStreamer streamer,
      RunAwaiter awaiter,
      RunEnder ender) {
    this.requests = requests;
    this.launcher = launcher;
    this.calls = calls;
    this.streamer = streamer;
    this.awaiter = awaiter;
    this.ender = ender;
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphCreateRun")
  @PostMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  ObjectValue create(
      @PathVariable String thread,
      @RequestBody ObjectValue body,
      IdempotencyKey key,
      HttpServletResponse response) {
    var request = requests.read(body);
    var launched = launcher.launch(Optional.of(thread), request, key, _ -> {});
    RunText.locate(launched, response);
    return text(calls.find(launched.call().id()));
  }

  private ObjectValue text(CalledRun found) {
    return RunText.of(found, calls.status(found));
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphWaitForNewRun")
  @PostMapping(path = "/wait", produces = MediaType.APPLICATION_JSON_VALUE)
  void createAndWait(
      @PathVariable String thread,
      @RequestBody ObjectValue body,
      IdempotencyKey key,
      HttpServletResponse response)
      throws IOException {
    var request = requests.read(body);
    awaiter.answer(
        () -> launcher.launch(Optional.of(thread), request, key, _ -> {}),
        request.stream().cancels(),
        response);
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphStreamNewRun")
  @PostMapping(
      path = "/stream",
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_JSON_VALUE})
  void createAndStream(
      @PathVariable String thread,
      @RequestBody ObjectValue body,
      IdempotencyKey key,
      HttpServletResponse response)
      throws IOException {
    streamer.begin(Optional.of(thread), requests.read(body), key, response);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphListRuns")
  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  ListValue list(
      @PathVariable String thread,
      @RequestParam(defaultValue = "10") int limit,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam(required = false) @Nullable String status,
      HttpServletRequest request) {
    var select = Set.copyOf(new QueryWords(request).all("select"));
    RequestReader.checkPage(limit, offset, LIST_MAX);
    var found = calls.ofThread(thread, status == null ? offset + limit : LIST_MAX);
    var page =
        found.stream()
            .filter(it -> status == null || calls.status(it).equals(status))
            .skip(offset)
            .limit(limit)
            .toList();
    return ListValue.of(
        calls.whole(page).stream()
            .map(this::text)
            .map(it -> RequestedMembers.of(it, select))
            .toList());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetRun")
  @GetMapping(path = "/{run}", produces = MediaType.APPLICATION_JSON_VALUE)
  ObjectValue get(@PathVariable String thread, @PathVariable String run) {
    return text(calls.find(thread, run));
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "langGraphDeleteRun")
  @DeleteMapping("/{run}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String thread, @PathVariable String run) {
    ender.delete(calls.find(thread, run));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphJoinRun")
  @GetMapping(path = "/{run}/join", produces = MediaType.APPLICATION_JSON_VALUE)
  void join(
      @PathVariable String thread,
      @PathVariable String run,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    boolean cancels = new QueryWords(request).flag("cancel_on_disconnect");
    awaiter.answer(() -> new Launched(calls.find(thread, run).call(), false), cancels, response);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphJoinStream")
  @GetMapping(
      path = "/{run}/stream",
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_JSON_VALUE})
  void joinStream(
      @PathVariable String thread,
      @PathVariable String run,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEvent,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    var joining = new Joining(lastEvent, new QueryWords(request));
    streamer.join(calls.find(thread, run), joining, response);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphCancelRun")
  @PostMapping("/{run}/cancel")
  ResponseEntity<Void> cancel(
      @PathVariable String thread,
      @PathVariable String run,
      @RequestParam(defaultValue = "interrupt") String action,
      HttpServletRequest request) {
    boolean waits = new QueryWords(request).flag("wait");
    ender.cancel(calls.find(thread, run), RequestReader.action(action), waits);
    return ResponseEntity.status(waits ? HttpStatus.NO_CONTENT : HttpStatus.ACCEPTED).build();
  }
}
