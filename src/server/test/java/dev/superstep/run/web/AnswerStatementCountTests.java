package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.AnswerInterrupt;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.database.StatementLog;
import dev.superstep.database.StatementLog.Sent;
import dev.superstep.http.ApiTest;
import dev.superstep.state.value.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// How many statements a question and its answer are, where nothing disturbs them. The least of
/// several tries counts: a run that finds no place here at once is queued.
@ApiTest
@Import(StatementLog.class)
class AnswerStatementCountTests {
  private static final int TRIES = 5;

  @LocalServerPort private int port;
  @Autowired private StatementLog log;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.question("count-question"));
  }

  private Run asks() {
    var run = api.run("count-question", Map.of());
    assertThat(run.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    return run;
  }

  /// What a call and the driver of its run have sent, whatever the service does besides.
  private List<Sent> sentBy(Supplier<Run> call) {
    log.clear();
    var run = call.get().getId();
    return log.sent().stream()
        .filter(it ->
            it.thread().startsWith("tomcat-handler")
                || it.thread().equals("run-" + run)
                || it.mentions(run))
        .toList();
  }

  private List<Sent> least(Supplier<List<Sent>> attempt) {
    return IntStream.range(0, TRIES)
        .mapToObj(_ -> attempt.get())
        .min(Comparator.comparingInt(List::size))
        .orElseThrow();
  }

  /// The insert and the hold.
  @Test
  void asksInTwoStatements() {
    assertThat(least(() -> sentBy(this::asks))).hasSize(2).noneMatch(Sent::isEnd);
  }

  /// The look-up of the interrupt, the answer with the claim, and the commit.
  @Test
  void answersInThreeStatements() {
    var sent =
        least(() -> {
          var interrupt = asks().getInterrupts().getFirst().getId();
          return sentBy(() -> answer(interrupt));
        });

    assertThat(sent).hasSize(3).noneMatch(Sent::isEnd);
  }

  /// The answer with the claim, and the commit.
  @Test
  void resumesWithAnAnswerInTwoStatements() {
    var sent =
        least(() -> {
          var run = asks();
          return sentBy(() -> resume(run));
        });

    assertThat(sent).hasSize(2).noneMatch(Sent::isEnd);
  }

  private Run resume(Run run) {
    var resumed =
        api.post(
            "/v1/runs/%s/resume?wait=30s".formatted(run.getId()),
            "{\"answers\": [{\"value\": 1}]}");
    assertThat(Api.at(resumed, "/status")).isEqualTo(Value.of("succeeded"));
    return run;
  }

  private Run answer(String interrupt) {
    var run =
        api.interrupts.answerInterrupt(interrupt, new AnswerInterrupt().value("yes"), null, "30s");
    assertThat(run.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    return run;
  }
}
