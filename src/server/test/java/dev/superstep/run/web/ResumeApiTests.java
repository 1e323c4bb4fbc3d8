package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.client.model.Answer;
import dev.superstep.client.model.AnswerInterrupt;
import dev.superstep.client.model.Change;
import dev.superstep.client.model.ForkRun;
import dev.superstep.client.model.Interrupt;
import dev.superstep.client.model.Limits;
import dev.superstep.client.model.Resolution;
import dev.superstep.client.model.ResumeRun;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.http.ApiTest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Answering, resuming, resolving and forking (E34, E35, E37, E38, E39, E48).
@ApiTest
class ResumeApiTests {
  /// Two people approve what is then sent.
  private static final String SENDS =
      """
      name: resume-sends
      channels: { log: { reducer: append } }
      nodes:
        - { id: ask, type: human, config: { payload: "Well?" } }
        - { id: check, type: human, config: { payload: "Right?" } }
        - { id: draft, type: expression, config: { update: { log: [draft] } } }
        - { id: send, type: expression, config: { update: { log: [send] } } }
      edges:
        - { from: __start__, to: [ask, check] }
        - { from: [ask, check], to: draft }
        - { from: draft, to: send }
      """;

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.counter("resume-counter", 3));
    api.graph(Graphs.twoQuestions("resume-questions"));
    api.graph(Graphs.question("resume-question"));
    api.graph(Graphs.division("resume-division"));
    api.graph(SENDS);
  }

  @Test
  void answersAnInterruptByItsId() {
    var run = api.run("resume-question", Map.of());
    assertThat(run.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    var interrupt = run.getInterrupts().getFirst();
    assertThat(interrupt.getPayload()).isEqualTo("Well?");

    var answer =
        api.interrupts.answerInterruptWithHttpInfo(
            interrupt.getId(), new AnswerInterrupt().value("yes"), null, "30s");

    assertThat(answer.getStatusCode().value()).isEqualTo(200);
    assertThat(answer.getBody()).isNotNull();
    assertThat(answer.getBody().getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(answer.getBody().getOutput()).isEqualTo(Map.of("said", "yes"));
    assertThat(api.interrupts.getInterrupt(interrupt.getId()).getStatus().getValue())
        .isEqualTo("answered");
  }

  /// E35
  @Test
  void takesNullForAnAnswer() {
    var run = api.run("resume-question", Map.of());
    var interrupt = run.getInterrupts().getFirst().getId();

    var after =
        api.interrupts.answerInterrupt(interrupt, new AnswerInterrupt().value(null), null, "30s");

    assertThat(after.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    var state = api.get("/v1/runs/" + run.getId() + "/state");
    assertThat(state.body()).contains("\"state\":{\"said\":null}");
  }

  /// E35, E37
  @Test
  void refusesAnswersThatAreLateOrWrong() {
    var run = api.run("resume-questions", Map.of());
    var first = interrupt(run, "first");

    Api.assertRefused(
        () -> api.interrupts.answerInterrupt(first, new AnswerInterrupt().value(1), null, null),
        422,
        "invalid_answer");
    var right = new AnswerInterrupt().value(Map.of("approved", true));
    api.interrupts.answerInterrupt(first, right, null, null);
    Api.assertRefused(
        () -> api.interrupts.answerInterrupt(first, right, null, null), 409, "interrupt_closed");
    Api.assertRefused(
        () -> api.interrupts.answerInterrupt("no-such", right, null, null),
        404,
        "interrupt_not_found");
  }

  /// E35
  @Test
  void takesAnAnswerAgainUnderItsIdempotencyKey() {
    var run = api.run("resume-question", Map.of());
    var interrupt = run.getInterrupts().getFirst().getId();
    var answer = new AnswerInterrupt().value("once");
    api.interrupts.answerInterrupt(interrupt, answer, "answer-key-1", "30s");

    var again = api.interrupts.answerInterruptWithHttpInfo(interrupt, answer, "answer-key-1", null);

    assertThat(again.getStatusCode().value()).isEqualTo(202);
    assertThat(again.getHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
  }

  @Test
  void answersSeveralInterruptsWithOneResume() {
    var run = api.run("resume-questions", Map.of());
    var resume =
        new ResumeRun()
            .answers(
                List.of(
                    new Answer()
                        .interruptId(interrupt(run, "first"))
                        .value(Map.of("approved", true)),
                    new Answer().interruptId(interrupt(run, "second")).value(false)));

    var after = api.runs.resumeRun(run.getId(), resume, null, "30s");

    assertThat(after.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(after.getOutput())
        .isEqualTo(Map.of("first", Map.of("approved", true), "second", false));
  }

  /// E35
  @Test
  void listsTheOpenInterruptsWhenItCannotTellWhichIsMeant() {
    var run = api.run("resume-questions", Map.of());

    var ambiguous = api.post(path(run, "/resume"), "{\"answers\":[{\"value\":1}]}");
    Api.assertProblem(ambiguous, 409, "interrupt_ambiguous");
    assertThat(ambiguous.body()).contains(interrupt(run, "first"), interrupt(run, "second"));

    var nothing = api.post(path(run, "/resume"), "{}");
    Api.assertProblem(nothing, 409, "nothing_to_resume");
    assertThat(nothing.body()).contains(interrupt(run, "first"), interrupt(run, "second"));
  }

  @Test
  void listsInterruptsOfARunAndOfAll() {
    var run = api.run("resume-questions", Map.of());

    assertThat(api.interrupts.listRunInterrupts(run.getId(), null, null).getItems())
        .extracting(Interrupt::getNode)
        .containsExactlyInAnyOrder("first", "second");
    assertThat(
            api.interrupts.listInterrupts("open", "resume-questions", null, 200, null).getItems())
        .extracting(Interrupt::getId)
        .contains(interrupt(run, "first"), interrupt(run, "second"));
  }

  /// E34, E42
  @Test
  void repairsAFailedRunByAnEditOfItsState() {
    var run = api.run("resume-division", Map.of("divisor", 0));
    assertThat(run.getStatus()).isEqualTo(StatusEnum.FAILED);
    assertThat(run.getError()).isNotNull();
    assertThat(run.getError().getNode()).isEqualTo("divide");
    assertThat(run.getFailedTasks()).hasSize(1);

    var edit = new Change().update(Map.of("divisor", 5));
    var after = api.runs.resumeRun(run.getId(), new ResumeRun().change(edit), null, "30s");

    assertThat(after.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(after.getOutput()).isEqualTo(Map.of("divisor", 5, "result", 2));
  }

  /// E34
  @Test
  void resolvesAFailedTaskByHand() {
    var run = api.run("resume-division", Map.of("divisor", 0));
    var task = run.getFailedTasks().getFirst().getTaskId();
    var resolution =
        new Resolution().taskId(task).change(new Change().update(Map.of("result", -1)));

    var after =
        api.runs.resumeRun(run.getId(), new ResumeRun().resolve(List.of(resolution)), null, "30s");

    assertThat(after.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(after.getOutput()).isEqualTo(Map.of("divisor", 0, "result", -1));
  }

  /// E38
  @Test
  void passesABreakpoint() {
    var request = Api.start("resume-counter", Map.of()).interruptBefore(List.of("add"));
    var run = api.runs.startRun(request, null, "30s");
    assertThat(run.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    assertThat(run.getBreakpoint()).isNotNull();
    assertThat(run.getBreakpoint().getNodes()).containsExactly("add");
    assertThat(run.getInterrupts()).isEmpty();

    var after = api.runs.resumeRun(run.getId(), new ResumeRun(), null, "30s");

    assertThat(after.getCheckpoint()).isGreaterThan(run.getCheckpoint());
  }

  /// Approved, "but stop before it is sent" (E38).
  @ParameterizedTest
  @CsvSource({"before, send", "after, draft"})
  void stopsWhereAnAnswerSays(String when, String node) {
    var run = api.run("resume-sends", Map.of());
    var resume =
        new ResumeRun()
            .answers(List.of(answer(run, "ask"), answer(run, "check")))
            .interruptBefore(when.equals("before") ? List.of(node) : null)
            .interruptAfter(when.equals("after") ? List.of(node) : null);

    assertStands(api.runs.resumeRun(run.getId(), resume, null, "30s"), when, node);
  }

  @ParameterizedTest
  @CsvSource({"before, send", "after, draft"})
  void stopsWhereACallThatGoesOnSays(String when, String node) {
    var run = api.run("resume-sends", Map.of());
    var resume =
        new ResumeRun()
            .answers(List.of(answer(run, "ask"), answer(run, "check")))
            .interruptBefore(List.of("draft"));
    var stands = api.runs.resumeRun(run.getId(), resume, null, "30s");
    assertThat(stands.getBreakpoint()).isNotNull();
    assertThat(stands.getBreakpoint().getNodes()).containsExactly("draft");

    var further =
        api.post(
            path(run, "/resume?wait=30s"), "{\"interrupt_%s\":[\"%s\"]}".formatted(when, node));

    assertThat(further.statusCode()).as(further.body()).isEqualTo(200);
    assertStands(api.runs.getRun(run.getId(), null, null), when, node);
  }

  /// Whoever answers last does not lift what one before has asked for.
  @Test
  void stopsWhereAnAnswerSaysAlthoughAnotherFollows() {
    var run = api.run("resume-sends", Map.of());
    var resume =
        new ResumeRun().answers(List.of(answer(run, "ask"))).interruptBefore(List.of("send"));
    var asks = api.runs.resumeRun(run.getId(), resume, null, "30s");
    assertThat(asks.getInterrupts()).extracting(Interrupt::getNode).containsExactly("check");

    var stands =
        api.interrupts.answerInterrupt(
            interrupt(run, "check"), new AnswerInterrupt().value("yes"), null, "30s");

    assertStands(stands, "before", "send");
  }

  private void assertStands(Run run, String when, String node) {
    assertThat(run.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    assertThat(run.getInterrupts()).isEmpty();
    assertThat(run.getBreakpoint()).isNotNull();
    assertThat(run.getBreakpoint().getWhen().getValue()).isEqualTo(when);
    assertThat(run.getBreakpoint().getNodes()).containsExactly(node);
    assertThat(api.get(path(run, "/state")).body()).contains("\"log\":[\"draft\"]");

    var sent = api.runs.resumeRun(run.getId(), new ResumeRun(), null, "30s");

    assertThat(sent.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(api.get(path(run, "/state")).body()).contains("\"log\":[\"draft\",\"send\"]");
  }

  private static Answer answer(Run run, String node) {
    return new Answer().interruptId(interrupt(run, node)).value("yes");
  }

  /// A fail-over may lose it: the caller has made no mistake.
  @ParameterizedTest
  @CsvSource({"resume, rests", "resume, counts", "answer, rests", "answer, counts"})
  void says503WhenTheRunVanishesDuringTheWait(String call, String then) throws Exception {
    api.graph(
        """
        name: resume-vanishes
        channels: { n: { reducer: sum, default: 0 } }
        limits: { max_supersteps: 1000000 }
        nodes:
          - { id: ask, type: human, config: { payload: "Well?", answer_to: then } }
          - { id: counts, type: expression, config: { update: { n: 1 } } }
          - { id: rests, type: wait, config: { for: 1h } }
        edges:
          - { from: __start__, to: ask }
          - { from: ask, route: state.then, targets: [counts, rests] }
          - { from: counts, to: counts }
        """);
    var run = api.run("resume-vanishes", Map.of());
    var path =
        call.equals("resume")
            ? path(run, "/resume?wait=50s")
            : "/v1/interrupts/%s/answer?wait=50s".formatted(interrupt(run, "ask"));
    var value = "\"value\":\"%s\"".formatted(then);
    var body = call.equals("resume") ? "{\"answers\":[{%s}]}" : "{%s}";
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var waits = executor.submit(() -> api.post(path, body.formatted(value)));
      var status = then.equals("rests") ? StatusEnum.WAITING : StatusEnum.RUNNING;
      await().until(() -> api.runs.getRun(run.getId(), null, null).getStatus().equals(status));

      jdbc.sql("delete from run where id = ?").param(run.getId()).update();

      var answer = waits.get(20, TimeUnit.SECONDS);
      Api.assertProblem(answer, 503, "database_unavailable");
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      Api.assertProblem(api.post(path, body.formatted(value)), 404, code(call));
    }
  }

  private static String code(String call) {
    return call.equals("resume") ? "run_not_found" : "interrupt_not_found";
  }

  /// E14, E39, K13
  @Test
  void raisesALimit() {
    var request = Api.start("resume-counter", Map.of()).limits(new Limits().maxSupersteps(2));
    var run = api.runs.startRun(request, null, "30s");
    assertThat(run.getError()).isNotNull();
    assertThat(run.getError().getCode()).isEqualTo("max_supersteps_exceeded");

    var more = new ResumeRun().limits(new Limits().maxSupersteps(3));
    var after = api.runs.resumeRun(run.getId(), more, null, "30s");

    assertThat(after.getOutput()).isEqualTo(Map.of("count", 3));
    assertThat(after.getLimits().getMaxSupersteps()).isEqualTo(3);
  }

  @Test
  void resumesNothingThatSucceeded() {
    var run = api.run("resume-counter", Map.of());

    var refused = api.post(path(run, "/resume"), "{}");

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
  }

  /// E42
  @Test
  void editsARunWithoutGoingOn() {
    var run = api.run("resume-question", Map.of());
    var edit = new ResumeRun().change(new Change().update(Map.of("note", "edited")));

    var answer = api.runs.resumeRunWithHttpInfo(run.getId(), edit._continue(false), null, "30s");

    assertThat(answer.getStatusCode().value()).isEqualTo(200);
    assertThat(answer.getBody()).isNotNull();
    assertThat(answer.getBody().getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    assertThat(answer.getBody().getInterrupts()).hasSize(1);
    var state = api.get("/v1/runs/" + run.getId() + "/state");
    assertThat(state.body()).contains("\"note\":\"edited\"");
    assertThat(api.get("/v1/runs/" + run.getId() + "/events").body()).doesNotContain("run.resumed");
    Api.assertProblem(
        api.post("/v1/runs/" + run.getId() + "/resume", "{\"goto\":[\"nobody\"]}"),
        422,
        "invalid_value");
    api.runs.cancelRun(run.getId(), null, "30s");
    Api.assertRefused(
        () -> api.runs.resumeRun(run.getId(), new ResumeRun(), null, null), 409, "run_ended");
  }

  /// E48
  @Test
  void forksARun() {
    var run = api.run("resume-counter", Map.of());
    var request = new ForkRun().checkpoint(1).change(new Change().update(Map.of("note", "forked")));

    var answer = api.runs.forkRunWithHttpInfo(run.getId(), request, null, "30s");

    var fork = answer.getBody();
    assertThat(fork).isNotNull();
    assertThat(answer.getHeaders().getLocation()).hasToString("/v1/runs/" + fork.getId());
    assertThat(fork.getParent()).isNotNull();
    assertThat(fork.getParent().getRunId()).isEqualTo(run.getId());
    assertThat(fork.getOutput()).isEqualTo(Map.of("count", 3, "note", "forked"));
    assertThat(api.runs.getRun(run.getId(), null, null)).isEqualTo(run);
    Api.assertRefused(
        () -> api.runs.forkRun(run.getId(), new ForkRun().checkpoint(99), null, null),
        404,
        "checkpoint_not_found");
  }

  private static String path(Run run, String call) {
    return "/v1/runs/" + run.getId() + call;
  }

  private static String interrupt(Run run, String node) {
    return run.getInterrupts().stream()
        .filter(it -> it.getNode().equals(node))
        .findFirst()
        .orElseThrow()
        .getId();
  }
}
