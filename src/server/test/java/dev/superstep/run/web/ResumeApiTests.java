package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Answering, resuming, resolving and forking (E34, E35, E37, E38, E39, E48).
@ApiTest
class ResumeApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.counter("resume-counter", 3));
    api.graph(Graphs.twoQuestions("resume-questions"));
    api.graph(Graphs.question("resume-question"));
    api.graph(Graphs.division("resume-division"));
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
    assertThat(api.interrupts.listInterrupts("open", "resume-questions", 200, null).getItems())
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
