package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.Change;
import dev.superstep.client.model.ForkRun;
import dev.superstep.client.model.Limits;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.client.model.StartRun;
import dev.superstep.client.model.StartRun.IfBusyEnum;
import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// `if_busy` on every call that begins a run: with `wait`, as a stream, as a fork (C33).
@ApiTest
class BusyThreadApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    api = new Api(port);
    thread = "t-" + UUID.randomUUID();
    api.graph(Graphs.counter("busy-counter", 1));
    api.graph(Graphs.counter("busy-endless", 100_000));
    api.graph(Graphs.sleeper("busy-sleeper"));
  }

  /// A run that nobody drives: it is ended at once.
  private Run sleeps() {
    return start("busy-sleeper", Map.of("n", 1));
  }

  /// A run that a driver has to end.
  private Run moves() {
    var run = new StartRun().graph("busy-endless").input(Map.of("n", 1)).threadId(thread);
    return api.runs.startRun(run.limits(new Limits().maxSupersteps(100_000)), null, null);
  }

  private Run start(String graph, Map<String, Object> input) {
    return api.runs.startRun(Api.start(graph, input).threadId(thread), null, null);
  }

  private StartRun next(IfBusyEnum ifBusy) {
    return Api.start("busy-counter", Map.of("m", 2)).threadId(thread).ifBusy(ifBusy);
  }

  private SseClient stream(String ifBusy, String query) {
    return SseClient.post(
        port,
        "/v1/runs/stream" + query,
        """
        {"graph": "busy-counter", "input": {"m": 2}, "thread_id": "%s", "if_busy": "%s"}\
        """
            .formatted(thread, ifBusy));
  }

  private StatusEnum status(Run run) {
    return api.runs.getRun(run.getId(), null, null).getStatus();
  }

  /// Of the stored ones.
  private static List<String> types(List<Message> messages) {
    return messages.stream().filter(it -> !it.id().isEmpty()).map(Message::type).toList();
  }

  @Test
  void refusesAStreamOnABusyThread() {
    var active = sleeps();

    try (var stream = stream("reject", "")) {
      assertThat(stream.status()).isEqualTo(409);
      assertThat(stream.header("Content-Type")).isEqualTo("application/problem+json");
    }

    assertThat(status(active)).isNotEqualTo(StatusEnum.CANCELLED);
    assertThat(api.threads.listThreadRuns(thread, null, null).getItems()).hasSize(1);
  }

  @Test
  void streamsAnEnqueuedRunFromBeforeItBegins() {
    var active = sleeps();

    try (var stream = stream("enqueue", "")) {
      assertThat(stream.status()).isEqualTo(200);
      var created = stream.next();
      assertThat(created).isNotNull();
      assertThat(created.type()).isEqualTo("run.created");
      var run = stream.header("Location").substring("/v1/runs/".length());
      assertThat(api.runs.getRun(run, null, null).getStatus()).isEqualTo(StatusEnum.QUEUED);
      api.runs.cancelRun(active.getId(), null, "30s");

      assertThat(types(stream.rest()))
          .containsExactly("run.started", "superstep.committed", "run.succeeded");
      assertThat(api.runs.getRun(run, null, null).getOutput())
          .isEqualTo(Map.of("n", 1, "m", 2, "count", 1));
    }
  }

  @Test
  void takesAnEnqueuedRunOutOfTheQueueWhenItsReaderLeaves() {
    sleeps();
    String run;
    try (var stream = stream("enqueue", "?on_disconnect=cancel")) {
      stream.until(it -> it.type().equals("run.created"));
      run = stream.header("Location").substring("/v1/runs/".length());
    }

    assertThat(api.runs.getRun(run, null, "30s").getStatus()).isEqualTo(StatusEnum.CANCELLED);
  }

  @ParameterizedTest
  @CsvSource({"interrupt, false", "interrupt, true", "rollback, false", "rollback, true"})
  void streamsARunThatEndsTheActiveOne(String ifBusy, boolean driven) {
    var active = driven ? moves() : sleeps();

    try (var stream = stream(ifBusy, "")) {
      assertThat(types(stream.rest()))
          .containsExactly("run.created", "run.started", "superstep.committed", "run.succeeded");
      var run =
          api.runs.getRun(stream.header("Location").substring("/v1/runs/".length()), null, null);
      assertThat(asMap(run.getOutput()).containsKey("n")).isEqualTo(ifBusy.equals("interrupt"));
    }

    assertThat(status(active)).isEqualTo(StatusEnum.CANCELLED);
  }

  /// The run that has the state of the thread.
  private String head() {
    return Objects.requireNonNull(api.threads.getThread(thread).getHead()).getRunId();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asMap(@Nullable Object output) {
    return (Map<String, Object>) Objects.requireNonNull(output);
  }

  @ParameterizedTest
  @CsvSource({"INTERRUPT, false", "INTERRUPT, true", "ROLLBACK, false", "ROLLBACK, true"})
  void waitsForARunThatEndsTheActiveOne(IfBusyEnum ifBusy, boolean driven) {
    var active = driven ? moves() : sleeps();

    var answer = api.runs.startRunWithHttpInfo(next(ifBusy), null, "30s");

    assertThat(answer.getStatusCode().value()).isEqualTo(200);
    assertThat(answer.getBody()).isNotNull();
    assertThat(answer.getBody().getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(asMap(answer.getBody().getOutput()).containsKey("n"))
        .isEqualTo(ifBusy == IfBusyEnum.INTERRUPT);
    assertThat(status(active)).isEqualTo(StatusEnum.CANCELLED);
  }

  @Test
  void saysThatAnEnqueuedRunStillWaits() {
    var active = sleeps();
    Api.assertRefused(
        () -> api.runs.startRun(next(IfBusyEnum.REJECT), null, "1s"), 409, "thread_busy");

    var answer = api.runs.startRunWithHttpInfo(next(IfBusyEnum.ENQUEUE), "key-" + thread, "1ms");
    var again = api.runs.startRunWithHttpInfo(next(IfBusyEnum.ENQUEUE), "key-" + thread, "1ms");

    assertThat(answer.getStatusCode().value()).isEqualTo(202);
    assertThat(answer.getBody()).isNotNull();
    assertThat(answer.getBody().getStatus()).isEqualTo(StatusEnum.QUEUED);
    assertThat(again.getBody()).isNotNull();
    assertThat(again.getBody().getId()).isEqualTo(answer.getBody().getId());
    api.runs.cancelRun(active.getId(), null, null);
    var run = api.runs.getRun(answer.getBody().getId(), null, "30s");
    assertThat(run.getOutput()).isEqualTo(Map.of("n", 1, "m", 2, "count", 1));
    assertThat(api.threads.listThreadRuns(thread, null, null).getItems()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"INTERRUPT, false", "INTERRUPT, true", "ROLLBACK, false", "ROLLBACK, true"})
  void forksTheActiveRunOfItsOwnThread(ForkRun.IfBusyEnum ifBusy, boolean driven) {
    var active = driven ? moves() : sleeps();
    var fork =
        new ForkRun()
            .checkpoint(0)
            .change(new Change().update(Map.of("forked", true)))
            .asNode("__end__")
            .threadId(thread);
    Api.assertRefused(() -> api.runs.forkRun(active.getId(), fork, null, null), 409, "thread_busy");

    var run = api.runs.forkRun(active.getId(), fork.ifBusy(ifBusy), null, "30s");

    assertThat(asMap(run.getOutput())).containsEntry("n", 1).containsEntry("forked", true);
    assertThat(status(active)).isEqualTo(StatusEnum.CANCELLED);
    assertThat(api.threads.getThread(thread).getState()).isEqualTo(run.getOutput());
    assertThat(head()).isEqualTo(run.getId());
  }

  @Test
  void enqueuesAForkThatShowsItsStateWhileItWaits() {
    var active = sleeps();
    var fork =
        new ForkRun()
            .checkpoint(0)
            .asNode("__end__")
            .threadId(thread)
            .ifBusy(ForkRun.IfBusyEnum.ENQUEUE);

    var run = api.runs.forkRun(active.getId(), fork, null, "1ms");

    assertThat(run.getStatus()).isEqualTo(StatusEnum.QUEUED);
    assertThat(run.getParent()).isNotNull();
    assertThat(api.get("/v1/runs/" + run.getId() + "/state").body()).contains("\"n\":1");
    assertThat(head()).isEqualTo(active.getId());
    api.runs.cancelRun(active.getId(), null, null);
    assertThat(api.runs.getRun(run.getId(), null, "30s").getStatus())
        .isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(head()).isEqualTo(run.getId());
  }

  @Test
  void refusesStrategiesOfForksThatMakeNoSense() {
    var active = sleeps();
    var path = "/v1/runs/" + active.getId() + "/fork";
    var alone = api.post(path, "{\"checkpoint\": 0, \"if_busy\": \"interrupt\"}");
    Api.assertProblem(alone, 422, "invalid_value");
    assertThat(alone.body()).contains("/if_busy");
    var unknown =
        api.post(path, "{\"checkpoint\": 0, \"thread_id\": \"x\", \"if_busy\": \"wait\"}");
    Api.assertProblem(unknown, 422, "invalid_value");
    // What is refused has ended nothing.
    var bad =
        api.post(
            path,
            "{\"checkpoint\": 99, \"thread_id\": \"%s\", \"if_busy\": \"interrupt\"}"
                .formatted(thread));
    Api.assertProblem(bad, 404, "checkpoint_not_found");
    assertThat(status(active)).isNotEqualTo(StatusEnum.CANCELLED);
  }
}
