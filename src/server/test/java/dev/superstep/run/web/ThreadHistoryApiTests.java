package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.Answer;
import dev.superstep.client.model.Change;
import dev.superstep.client.model.CheckpointRef;
import dev.superstep.client.model.ForkRun;
import dev.superstep.client.model.ResumeRun;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.client.model.StartRun;
import dev.superstep.client.model.StartRun.IfBusyEnum;
import dev.superstep.client.model.ThreadCheckpoint;
import dev.superstep.http.ApiTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// The history of a thread: one chain of checkpoints over its runs and forks, and runs that begin
/// from any of them.
@ApiTest
class ThreadHistoryApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    api = new Api(port);
    thread = "t-" + UUID.randomUUID();
    api.graph(
        """
        name: history-log
        channels: { log: { reducer: append } }
        nodes:
          - { id: a, type: expression, config: { update: { log: a } } }
          - { id: b, type: expression, config: { update: { log: b } } }
        edges: [{ from: __start__, to: a }, { from: a, to: b }]
        """);
    api.graph(Graphs.question("history-question"));
    api.graph(Graphs.sleeper("history-sleeper"));
  }

  private StartRun says(String word) {
    return Api.start("history-log", Map.of("log", word)).threadId(thread);
  }

  private Run run(StartRun request) {
    return api.runs.startRun(request, null, "30s");
  }

  private List<ThreadCheckpoint> history() {
    return api.threads.listThreadHistory(thread, 200, null).getItems();
  }

  private static CheckpointRef at(Run run, int checkpoint) {
    return new CheckpointRef().runId(run.getId()).checkpoint(checkpoint);
  }

  private Object log() {
    return Objects.requireNonNull(api.threads.getThread(thread).getState().get("log"));
  }

  /// As `run:checkpoint` with the place in the list of runs; `-` if absent.
  private static String parent(ThreadCheckpoint of, List<Run> runs) {
    var parent = of.getParent();
    return parent == null ? "-" : name(parent.getRunId(), parent.getCheckpoint(), runs);
  }

  private static String name(String run, @Nullable Integer checkpoint, List<Run> runs) {
    return runs.stream().map(Run::getId).toList().indexOf(run) + ":" + checkpoint;
  }

  private List<String> chain(List<Run> runs) {
    return history().stream()
        .map(it -> name(it.getRunId(), it.getCheckpoint(), runs) + "<" + parent(it, runs))
        .toList();
  }

  @Test
  void isOneChainOverTheRunsOfAThread() {
    var runs = List.of(run(says("x")), run(says("y")));

    assertThat(chain(runs))
        .containsExactly("1:2<1:1", "1:1<1:0", "1:0<0:2", "0:2<0:1", "0:1<0:0", "0:0<-");
    assertAscends();
  }

  @Test
  void saysOfEachRunWhereItHasBegun() {
    var first = run(says("x"));
    var second = run(says("y"));

    assertThat(first.getFrom()).isNull();
    assertThat(second.getFrom()).isEqualTo(at(first, 2));
    assertThat(api.runs.getRun(second.getId(), null, null).getFrom()).isEqualTo(at(first, 2));
    var alone = run(Api.start("history-log", Map.of("log", "z")));
    assertThat(alone.getFrom()).isNull();
  }

  /// From the newest on, and every parent that is named is in the list.
  private void assertAscends() {
    var ids = history().stream().map(ThreadCheckpoint::getId).toList();
    assertThat(ids).isSortedAccordingTo(Comparator.reverseOrder()).doesNotHaveDuplicates();
    for (var item : history()) {
      var parent = item.getParent();
      if (parent != null) {
        assertThat(ids).contains(parent.getId());
        assertThat(parent.getId()).isLessThan(item.getId());
      }
    }
  }

  @Test
  void branchesWhereARunBeginsFromAnOlderCheckpoint() {
    var first = run(says("x"));
    var second = run(says("y"));

    var edited = run(says("z").from(at(first, 2)));

    assertThat(edited.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(log()).isEqualTo(List.of("x", "a", "b", "z", "a", "b"));
    assertThat(edited.getFrom()).isEqualTo(at(first, 2));
    var runs = List.of(first, second, edited);
    assertThat(chain(runs)).startsWith("2:2<2:1", "2:1<2:0", "2:0<0:2", "1:2<1:1");
    assertAscends();
    var fourth = run(says("w"));
    assertThat(log()).isEqualTo(List.of("x", "a", "b", "z", "a", "b", "w", "a", "b"));
    assertThat(chain(List.of(first, second, edited, fourth))).contains("3:0<2:2");
  }

  @Test
  void beginsInTheMiddleOfARun() {
    var first = run(says("x"));

    run(says("z").from(at(first, 1)));

    assertThat(log()).isEqualTo(List.of("x", "a", "z", "a", "b"));
  }

  @Test
  void joinsForks() {
    var first = run(says("x"));
    var second = run(says("y"));
    var request = new ForkRun().checkpoint(1).threadId(thread);

    var fork =
        api.runs.forkRun(
            first.getId(), request.change(new Change().update(Map.of("log", "f"))), null, "30s");

    assertThat(log()).isEqualTo(List.of("x", "a", "f", "b"));
    assertThat(chain(List.of(first, second, fork))).startsWith("2:1<2:0", "2:0<0:1", "1:2<1:1");
    assertAscends();
  }

  /// What is held for an answer belongs to the checkpoint before.
  @Test
  void leavesOutWhatIsHeld() {
    var first = run(says("x"));
    var asked = run(Api.start("history-question", Map.of()).threadId(thread));
    var runs = List.of(first, asked);
    assertThat(chain(runs)).startsWith("1:0<0:2");

    var answer = new ResumeRun().addAnswersItem(new Answer().value("yes"));
    api.runs.resumeRun(asked.getId(), answer, null, "30s");

    assertThat(chain(runs).getFirst()).matches("1:[1-9]<1:0");
    assertAscends();
  }

  @Test
  void leavesOutWhatWasRolledBack() {
    var first = run(says("x"));
    run(Api.start("history-question", Map.of("n", 1)).threadId(thread));

    var second = run(says("y").ifBusy(IfBusyEnum.ROLLBACK));

    assertThat(chain(List.of(first, second)))
        .startsWith("1:2<1:1", "1:1<1:0", "1:0<0:2", "0:2<0:1");
  }

  @Test
  void keepsWhereARunIsToBeginWhileItWaits() {
    var first = run(says("x"));
    var second = run(says("y"));
    var asleep =
        api.runs.startRun(Api.start("history-sleeper", Map.of()).threadId(thread), null, null);
    var third =
        api.runs.startRun(says("z").from(at(first, 2)).ifBusy(IfBusyEnum.ENQUEUE), null, null);
    assertThat(third.getStatus()).isEqualTo(StatusEnum.QUEUED);

    api.runs.cancelRun(asleep.getId(), null, "30s");

    assertThat(api.runs.getRun(third.getId(), null, "30s").getStatus())
        .isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(log()).isEqualTo(List.of("x", "a", "b", "z", "a", "b"));
    assertThat(chain(List.of(first, second, asleep, third))).contains("3:0<0:2");
  }

  @Test
  void refusesTheCheckpointsOfARunThatItRollsBack() {
    run(says("x"));
    var asleep =
        api.runs.startRun(Api.start("history-sleeper", Map.of()).threadId(thread), null, null);

    Api.assertRefused(
        () -> run(says("y").from(at(asleep, 0)).ifBusy(IfBusyEnum.ROLLBACK)),
        404,
        "checkpoint_not_found");

    assertThat(api.runs.getRun(asleep.getId(), null, null).getStatus())
        .as("the refused call has rolled nothing back")
        .isNotEqualTo(StatusEnum.CANCELLED);
    api.runs.cancelRun(asleep.getId(), null, "30s");
  }

  @Test
  void refusesCheckpointsThatTheThreadDoesNotHave() {
    var first = run(says("x"));
    var elsewhere = run(Api.start("history-log", Map.of()));

    for (var from : List.of(at(first, 9), at(elsewhere, 1), at(new Run().id("nobody"), 0))) {
      Api.assertRefused(() -> run(says("z").from(from)), 404, "checkpoint_not_found");
    }
    Api.assertRefused(
        () -> run(Api.start("history-log", Map.of()).from(at(first, 1))), 422, "invalid_value");
    Api.assertProblem(
        api.post(
            "/v1/runs", "{\"graph\":\"history-log\",\"input\":{},\"thread_id\":\"x\",\"from\":{}}"),
        422,
        "invalid_request");
    Api.assertRefused(
        () -> api.threads.listThreadHistory("nobody", null, null), 404, "thread_not_found");
    assertThat(history()).hasSize(3);
  }

  @Test
  void turnsItsPages() {
    run(says("x"));
    run(says("y"));
    var whole = history();
    var paged = new ArrayList<ThreadCheckpoint>();
    @Nullable String cursor = null;
    do {
      var page = api.threads.listThreadHistory(thread, 4, cursor);
      paged.addAll(page.getItems());
      cursor = page.getNextCursor();
    } while (cursor != null);

    assertThat(whole).hasSize(6);
    assertThat(paged).isEqualTo(whole);
  }

  /// The chain ends where an erased run was.
  @Test
  void losesTheParentWithItsRun() {
    var first = run(says("x"));
    var second = run(says("y"));

    api.runs.deleteRun(first.getId());

    assertThat(chain(List.of(first, second))).containsExactly("1:2<1:1", "1:1<1:0", "1:0<-");
  }
}
