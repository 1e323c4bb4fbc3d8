package dev.superstep.engine;

import static dev.superstep.engine.Conversations.COUNT;
import static dev.superstep.engine.Conversations.change;
import static dev.superstep.engine.Conversations.conversation;
import static dev.superstep.engine.Conversations.events;
import static dev.superstep.engine.Conversations.identified;
import static dev.superstep.engine.Conversations.list;
import static dev.superstep.engine.Conversations.loop;
import static dev.superstep.engine.Conversations.message;
import static dev.superstep.engine.Conversations.messages;
import static dev.superstep.engine.Conversations.record;
import static dev.superstep.engine.Conversations.say;
import static dev.superstep.engine.Conversations.system;
import static dev.superstep.engine.Conversations.talk;
import static dev.superstep.engine.Conversations.taskKeys;
import static dev.superstep.engine.Conversations.texts;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// definitions.md, *Compaction*: S0-8 to S0-11, C4, C21.
class CompactionTests {
  private static final long SEED = Long.getLong("superstep.seed", 20_261_121L);

  /// S0-8, S0-9: over the threshold, the next superstep compacts, beside its nodes and on the same
  /// frozen state; what they add comes behind.
  @Test
  void compactsInTheNextSuperstepBesideItsNodes() {
    var seen = new AtomicInteger();
    var run =
        TestRuns.of(
            conversation(5, 2, COUNT)
                .node("a", _ -> say("a1", "a2", "a3", "a4", "a5", "a6"))
                .node(
                    "b",
                    call -> {
                      seen.set(list(call.state().channels().getOr("messages", Value.NULL)).size());
                      return say("b1");
                    })
                .edge("__start__", "a")
                .edge("a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(texts(run, "messages")).containsExactly("summary of 4", "a5", "a6", "b1");
    assertThat(texts(run, "full_messages"))
        .containsExactly("a1", "a2", "a3", "a4", "a5", "a6", "b1");
    assertThat(seen).hasValue(6);
    assertThat(taskKeys(run)).containsExactly("1:a", "2:__compact__:messages", "2:b");
    assertThat(run.events()).containsOnlyOnce("channel.compacted");
    assertThat(run.kinds())
        .containsExactly(CheckpointKind.INPUT, CheckpointKind.STEP, CheckpointKind.FINAL);
  }

  /// The input may be too long already.
  @Test
  void compactsWhatTheInputBrings() {
    var graph = conversation(2, 1, COUNT).node("a", _ -> done()).edge("__start__", "a");
    var run = TestRuns.of(graph, ObjectValue.of("messages", messages("user", "i1", "i2", "i3")));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(texts(run, "messages")).containsExactly("summary of 2", "i3");
  }

  /// The summary is a message with its own id and says how many messages it covers, those of
  /// earlier summaries included.
  @Test
  void summarisesSummariesAgain() {
    var run = TestRuns.of(loop(conversation(4, 2, COUNT), 6));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    var summary = (ObjectValue) list(run.state("messages")).get(0);
    assertThat(summary.get("role")).isEqualTo(Value.of("system"));
    assertThat(summary.get("id")).isNotNull();
    long covered =
        ((Value.Int)
                ((ObjectValue) summary.getOr("metadata", Value.NULL)).getOr("covers", Value.NULL))
            .value();
    assertThat(covered + list(run.state("messages")).size() - 1)
        .isEqualTo(list(run.state("full_messages")).size());
  }

  /// None if nothing is pending: the run is over.
  @Test
  void compactsNothingBehindTheLastSuperstep() {
    var run =
        TestRuns.of(
            conversation(2, 1, COUNT).node("a", _ -> say("1", "2", "3")).edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(taskKeys(run)).containsExactly("1:a");
    assertThat(texts(run, "messages")).containsExactly("1", "2", "3");
  }

  /// S0-4, S0-10, S0-11: the history of a compacted run equals that of an uncompacted one, byte for
  /// byte, whatever its nodes say.
  @Test
  void keepsTheHistoryOfAnUncompactedRun() {
    System.out.println("seed of the histories: " + SEED);
    for (long seed = SEED; seed < SEED + 60; seed++) {
      var random = new Random(seed);
      int over = 3 + random.nextInt(8);
      int keep = random.nextInt(over);
      var plain = TestRuns.of(talk(new TestGraph().conversation(), seed));
      var compacted = TestRuns.of(talk(conversation(over, keep, COUNT), seed));

      assertThat(plain.drive()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(compacted.drive()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(compacted.state("full_messages").toString())
          .as("seed " + seed)
          .isEqualTo(plain.state("full_messages").toString());
      assertThat(compacted.events()).contains("channel.compacted");
    }
  }

  /// A summarizer that fails holds nothing up and loses nothing; the next try comes when the
  /// channel has grown by a tenth.
  @Test
  void triesAgainWhenTheChannelHasGrownByATenth() {
    var tried = Collections.synchronizedList(new ArrayList<Integer>());
    Summarizer failing =
        (_, call) -> {
          tried.add(list(call.state().channels().getOr("messages", Value.NULL)).size());
          throw new IllegalStateException("the model is away");
        };
    var run = TestRuns.of(loop(conversation(20, 2, failing), 45));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(tried).containsExactly(21, 24, 27, 30, 33, 37, 41);
    assertThat(list(run.state("messages")).size()).isEqualTo(45);
    assertThat(run.state("full_messages")).isEqualTo(run.state("messages"));
    assertThat(run.events()).contains("task.handled").doesNotContain("task.failed", "run.failed");
    var failed = record(run, "22", "__compact__:messages");
    assertThat(failed.status())
        .isInstanceOfSatisfying(
            TaskRecord.TaskStatus.Handled.class,
            it -> assertThat(it.error().message()).contains("the model is away"));
  }

  /// A summary that does not help is not made again for every message.
  @Test
  void waitsForGrowthWhenASummaryIsNoHelp() {
    var calls = new AtomicInteger();
    Summarizer counting =
        (_, _) -> {
          calls.incrementAndGet();
          return Optional.of("summary");
        };
    var graph = new TestGraph().conversation().compact(30, 29, counting);
    var run =
        TestRuns.of(
            graph.node("a", it -> atMost(it, 60)).edge("__start__", "a"),
            ObjectValue.of("messages", system(5)));

    assertThat(loops(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls.get()).isLessThan(12);
  }

  private static Outcome atMost(NodeCall call, int rounds) {
    return call.task().key().superstep() < rounds
        ? TestNodes.goTo(change("m" + call.task().key().superstep()), "a")
        : done();
  }

  private static RunStatus loops(TestRun run) {
    return run.drive();
  }

  /// What a sibling does to the messages that a summary was to replace.
  enum Edit {
    UPSERT,
    REMOVE_MESSAGE,
    OVERWRITE,
    REMOVE_CHANNEL
  }

  /// The summary is dropped if a sibling edited what it stands for.
  @ParameterizedTest
  @EnumSource
  void dropsASummaryOfWhatASiblingChanged(Edit edit) {
    var run =
        TestRuns.of(
            conversation(4, 1, COUNT)
                .node("a", _ -> set("messages", identified("m1", "m2", "m3", "m4", "m5")))
                .node("b", _ -> new Outcome.Done(NodeResult.of(edited(edit))))
                .edge("__start__", "a")
                .edge("a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.events()).contains("channel.compaction_dropped");
    assertThat(run.events()).doesNotContain("channel.compacted");
    assertThat(run.state("messages").toString()).doesNotContain("summary of");
    switch (edit) {
      case UPSERT ->
          assertThat(texts(run, "messages")).containsExactly("m1", "new", "m3", "m4", "m5");
      case REMOVE_MESSAGE ->
          assertThat(texts(run, "messages")).containsExactly("m1", "m3", "m4", "m5");
      case OVERWRITE -> assertThat(texts(run, "messages")).containsExactly("x");
      case REMOVE_CHANNEL -> assertThat(run.state("messages")).isEqualTo(Value.NULL);
    }
  }

  /// What a sibling does behind that is no reason to drop it.
  @Test
  void keepsASummaryBesideEditsOfWhatStays() {
    var changed = ObjectValue.of("messages", ListValue.of(message("m5", "user", "new")));
    var run =
        TestRuns.of(
            conversation(4, 1, COUNT)
                .node("a", _ -> set("messages", identified("m1", "m2", "m3", "m4", "m5")))
                .node("b", _ -> new Outcome.Done(NodeResult.of(Change.update(changed))))
                .edge("__start__", "a")
                .edge("a", "b"));

    run.drive();

    assertThat(texts(run, "messages")).containsExactly("summary of 4", "new");
  }

  private static Change edited(Edit edit) {
    return switch (edit) {
      case UPSERT -> Change.update("messages", ListValue.of(message("m2", "user", "new")));
      case REMOVE_MESSAGE ->
          new Change(List.of(), List.of("m2"), ObjectValue.empty(), ObjectValue.empty());
      case OVERWRITE ->
          new Change(
              List.of(),
              List.of(),
              ObjectValue.of("messages", messages("user", "x")),
              ObjectValue.empty());
      case REMOVE_CHANNEL ->
          new Change(List.of("messages"), List.of(), ObjectValue.empty(), ObjectValue.empty());
    };
  }

  /// S0-8: a threshold is what may be there; one more is too much. Each message has 10 tokens.
  @ParameterizedTest
  @CsvSource({"2, 0", "3, 1"})
  void compactsBeyondTheThresholdAndNotAtIt(int said, int compactions) {
    for (var when :
        List.of(
            new Compaction.Threshold(Optional.empty(), Optional.of(20L), _ -> 10),
            new Compaction.Threshold(Optional.of(2), Optional.empty(), _ -> 10))) {
      var run =
          TestRuns.of(
              new TestGraph()
                  .conversation()
                  .compact(when, 1, COUNT)
                  .node("a", _ -> say(Collections.nCopies(said, "x").toArray(String[]::new)))
                  .node("b", _ -> done())
                  .edge("__start__", "a")
                  .edge("a", "b"));

      assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(events(run, "channel.compacted")).as(when.toString()).isEqualTo(compactions);
    }
  }

  /// S0-8: tokens are counted as messages come, each once, not the whole channel at each commit.
  @Test
  void countsTheTokensOfEachMessageOnce() {
    var counted = new AtomicInteger();
    var graph =
        new TestGraph()
            .conversation()
            .compact(
                new Compaction.Threshold(
                    Optional.empty(),
                    Optional.of(400L),
                    _ -> {
                      counted.incrementAndGet();
                      return 10;
                    }),
                5,
                COUNT);
    var run = TestRuns.of(loop(graph, 90));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(events(run, "channel.compacted")).isEqualTo(2);
    assertThat(list(run.state("messages")).size()).isLessThan(40);
    // Each of the 90 messages, and anew those that a summary leaves.
    assertThat(counted.get()).isLessThan(90 + 2 * 2 * 7);
  }

  /// P11 does not lead there: nothing of the prompt context reaches a summarizer.
  @Test
  void seesNothingOfThePromptContext() {
    var seen = Collections.synchronizedList(new ArrayList<Value>());
    Summarizer looking =
        (messages, call) -> {
          seen.add(call.context().variables());
          return COUNT.summarize(messages, call);
        };
    var secret = ObjectValue.of("tool.key", Value.of("secret"));
    var graph =
        conversation(2, 1, looking)
            .keepingContext()
            .node("a", _ -> say("1", "2", "3"))
            .node("b", _ -> done())
            .edge("__start__", "a")
            .edge("a", "b");
    var origin =
        new RunStart.StartState(
            GraphState.empty(),
            Optional.of(
                new PromptContext(
                    "", secret, ListValue.empty(), ListValue.empty(), ObjectValue.empty())));
    var run = new TestRuns().start(graph.program(), ObjectValue.empty(), origin);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.events()).contains("channel.compacted");
    assertThat(seen).containsExactly(ObjectValue.empty());
  }

  /// E38: it is no node, and `*` does not stop at it; P2: it has no history entry.
  @Test
  void isNoNodeOfTheGraph() {
    var graph =
        conversation(2, 1, COUNT)
            .keepingContext()
            .node("a", _ -> say("1", "2", "3"))
            .node("b", _ -> done())
            .edge("__start__", "a")
            .edge("a", "b")
            .breakpoints(Set.of("*"), Set.of());
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.head().breakpoint())
        .hasValueSatisfying(it -> assertThat(it.nodes()).containsExactly("b"));
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(texts(run, "messages")).containsExactly("summary of 2", "3");
  }
}
