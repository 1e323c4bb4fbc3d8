package dev.superstep.langgraph.run;

import dev.superstep.database.OwnThings;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.langgraph.run.RunEnder.EndAction;
import dev.superstep.langgraph.run.RunStreamer.Joining;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;

/// Serves runs without a thread, and calls about several runs.
@Tag(name = "Stateless runs", description = "Runs without a conversation")
@LangGraphController
@Fails({
  ErrorCode.THREAD_NOT_FOUND,
  ErrorCode.RUN_NOT_FOUND,
  ErrorCode.ASSISTANT_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
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
@RequestMapping("/runs")
class StatelessRunController {
  private static final int BATCH_MAX = 100;
  private static final int LIST_MAX = 1_000;

  private final RunRequests requests;
  private final RunLauncher launcher;
  private final RunCalls calls;
  private final RunStreamer streamer;
  private final RunAwaiter awaiter;
  private final RunEnder ender;
  private final OwnThings things;

  StatelessRunController(
      RunRequests requests,
      RunLauncher launcher,
      RunCalls calls,
      RunStreamer streamer,
      RunAwaiter awaiter,
      RunEnder ender,
      OwnThings things) {
    this.things = things;
    this.requests = requests;
    this.launcher = launcher;
    this.calls = calls;
    this.streamer = streamer;
    this.awaiter = awaiter;
    this.ender = ender;
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphCreateStatelessRun")
  @PostMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  ObjectValue create(
      @RequestBody ObjectValue body, IdempotencyKey key, HttpServletResponse response) {
    var launched = launcher.launch(Optional.empty(), requests.read(body), key, _ -> {});
    RunText.locate(launched, response);
    return text(launched.call());
  }

  private ObjectValue text(RunCall call) {
    var found = calls.find(call.id());
    return RunText.of(found, calls.status(found));
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphWaitForStatelessRun")
  @PostMapping(path = "/wait", produces = MediaType.APPLICATION_JSON_VALUE)
  void createAndWait(
      @RequestBody ObjectValue body, IdempotencyKey key, HttpServletResponse response)
      throws IOException {
    var remembered = key.isAbsent() ? requests.remembered(body) : Optional.<RunCreate>empty();
    var request = remembered.orElseGet(() -> requests.read(body));
    awaiter.answer(
        () ->
            remembered.isPresent()
                ? launcher
                    .launchRemembered(request)
                    .orElseGet(() -> launch(requests.read(body), key))
                : launch(request, key),
        request.stream().cancels(),
        response);
  }

  private Launched launch(RunCreate request, IdempotencyKey key) {
    return launcher.launch(Optional.empty(), request, key, _ -> {});
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphStreamStatelessRun")
  @PostMapping(
      path = "/stream",
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_JSON_VALUE})
  void createAndStream(
      @RequestBody ObjectValue body, IdempotencyKey key, HttpServletResponse response)
      throws IOException {
    streamer.begin(Optional.empty(), requests.read(body), key, response);
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphCreateRuns")
  @PostMapping(path = "/batch", produces = MediaType.APPLICATION_JSON_VALUE)
  ListValue createAll(
      @RequestBody ListValue bodies, IdempotencyKey key, HttpServletResponse response) {
    if (bodies.size() > BATCH_MAX) {
      throw RequestReader.refuse("", "has more than %d runs".formatted(BATCH_MAX));
    }
    var read = new ArrayList<RunCreate>();
    for (var body : bodies) {
      read.add(requests.read(RequestReader.snakeCased(object(body))));
    }
    var all = launcher.launchAll(read, key);
    if (!all.isEmpty() && all.stream().allMatch(Launched::replayed)) {
      response.setHeader(StoredAnswer.REPLAYED, "true");
    }
    return ListValue.of(all.stream().map(it -> text(it.call())).toList());
  }

  private static ObjectValue object(Value body) {
    return switch (body) {
      case ObjectValue object -> object;
      case Value.Null _ -> ObjectValue.empty();
      default -> throw ServiceException.at("", ErrorCode.WRONG_TYPE, "must be an object");
    };
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphJoinStatelessStream")
  @GetMapping(
      path = "/{run}/stream",
      produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_JSON_VALUE})
  void joinStream(
      @PathVariable String run,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEvent,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    streamer.join(calls.find(run), new Joining(lastEvent, new QueryWords(request)), response);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphCancelRuns")
  @PostMapping("/cancel")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancelAll(
      @RequestBody ObjectValue body, @RequestParam(defaultValue = "interrupt") String action) {
    var request = RequestFields.of(body);
    var ends = RequestReader.action(action);
    var thread =
        RequestReader.text(request, "thread_id").map(Tenant.current()::own).map(things::thread);
    var named =
        RequestReader.texts(request, "run_ids").stream()
            .map(Tenant.current()::own)
            .map(things::call)
            .toList();
    if (named.isEmpty() && thread.isEmpty()) {
      throw RequestReader.refuse("/thread_id", "is missing, and so is run_ids");
    }
    named.forEach(it -> cancel(thread, it, ends));
    if (named.isEmpty()) {
      var status = RequestReader.text(request, "status").orElse("all");
      for (var found : calls.ofThread(thread.orElseThrow(), LIST_MAX)) {
        if (status.equals("all") || calls.status(found).equals(status)) {
          ender.cancel(found, ends, false);
        }
      }
    }
  }

  private void cancel(Optional<String> thread, String run, EndAction action) {
    var found = thread.map(it -> calls.find(it, run)).orElseGet(() -> calls.find(run));
    ender.cancel(found, action, false);
  }
}
