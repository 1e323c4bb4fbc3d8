package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.graph.InboxPolicy.At;
import dev.superstep.graph.InboxPolicy.AtOnce;
import dev.superstep.graph.InboxPolicy.IfAtRest;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.state.value.ValueText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// E49: messages are folded by the commit of a superstep, and the next one sees them.
class InboxTests {
  private static final InboxPolicy TO_TALK =
      new InboxPolicy(
          Optional.of("said"),
          Optional.of(new NodeId("talk")),
          At.NEXT_SUPERSTEP,
          AtOnce.ALL,
          IfAtRest.WAIT);

  private final List<ListValue> seen = new ArrayList<>();
  private final AtomicReference<TestRuns.TestRun> running = new AtomicReference<>();

  private static InboxPolicy policy(At at, AtOnce atOnce) {
    return new InboxPolicy(TO_TALK.channel(), TO_TALK.node(), at, atOnce, IfAtRest.WAIT);
  }

  private TestRuns.TestRun begin(TestGraph graph) {
    var run =
        TestRuns.of(graph.channel("said", new Reducer.Append()).channel("sum", new Reducer.Sum()));
    running.set(run);
    return run;
  }

  private void send(String id, String channel, Value value, IfUntaken ifUntaken) {
    var run = running.get();
    run.runs()
        .store
        .send(
            run.header.id(),
            new InboxMessage(0, id, channel, value, ifUntaken, run.runs().clock.instant()));
    run.inbox.put(new Inbox.Signal.Nudge());
  }

  private void send(String id) {
    send(id, "said", Value.of(id), IfUntaken.FOLD);
  }

  /// Notes what it sees, and has these messages sent during its first calls.
  private NodeRunner talk(List<List<String>> sent) {
    return call -> {
      seen.add(said(call));
      if (seen.size() <= sent.size()) {
        sent.get(seen.size() - 1).forEach(this::send);
      }
      return TestNodes.done();
    };
  }

  private static ObjectValue parsed(String text) {
    return (ObjectValue) ValueText.read(text.replace('\'', '"'));
  }

  private static ListValue said(NodeCall call) {
    return ListValue.orEmpty(call.state().get("said"));
  }

  @Test
  void showsMessagesToTheNextSuperstepInTheOrderInWhichTheyWereSent() {
    var run =
        begin(
            new TestGraph()
                .node("talk", talk(List.of(List.of("a", "b"))))
                .node("next", talk(List.of()))
                .edge("__start__", "talk")
                .edge("talk", "next"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(seen).containsExactly(ListValue.texts(), ListValue.texts("a", "b"));
    assertThat(run.events())
        .containsSubsequence("message.taken", "message.taken", "superstep.committed");
  }

  /// Behind the updates of the tasks, each by itself.
  @Test
  void foldsEachMessageThroughTheReducerBehindTheTasks() {
    var run =
        begin(
            new TestGraph()
                .node(
                    "talk",
                    _ -> {
                      send("m", "sum", Value.of(1), IfUntaken.FOLD);
                      send("n", "sum", Value.of(1), IfUntaken.FOLD);
                      send("o", "last", Value.of("sent"), IfUntaken.FOLD);
                      return TestNodes.set("last", Value.of("task"));
                    })
                .edge("__start__", "talk"));

    run.drive();

    assertThat(run.state("sum")).isEqualTo(Value.of(2));
    assertThat(run.state("last")).isEqualTo(Value.of("sent"));
  }

  @Test
  void activatesTheNodeOfTheInboxInsteadOfTheEnd() {
    var run =
        begin(
            new TestGraph()
                .inbox(TO_TALK)
                .node("talk", talk(List.of(List.of("a"), List.of("b"))))
                .edge("__start__", "talk"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(seen)
        .containsExactly(ListValue.texts(), ListValue.texts("a"), ListValue.texts("a", "b"));
  }

  @Test
  void takesMessagesOneByOne() {
    var run =
        begin(
            new TestGraph()
                .inbox(policy(At.NEXT_SUPERSTEP, AtOnce.ONE))
                .node("talk", talk(List.of(List.of("a", "b"))))
                .edge("__start__", "talk"));

    run.drive();

    assertThat(seen)
        .containsExactly(ListValue.texts(), ListValue.texts("a"), ListValue.texts("a", "b"));
  }

  @Test
  void waitsForTheEndOfTheTurn() {
    var run =
        begin(
            new TestGraph()
                .inbox(policy(At.END_OF_TURN, AtOnce.ALL))
                .node("talk", talk(List.of(List.of("a"))))
                .node("next", talk(List.of()))
                .edge("__start__", "talk")
                .when("talk", _ -> seen.size() == 1, "next"));

    run.drive();

    assertThat(seen).containsExactly(ListValue.texts(), ListValue.texts(), ListValue.texts("a"));
  }

  /// Nothing may come between what a model calls and what the tools answer.
  @Test
  void waitsUntilTheToolsHaveAnswered() {
    var called =
        parsed(
            "{'id': 'c', 'role': 'assistant', 'content': '',"
                + " 'tool_calls': [{'id': 't', 'name': 'look', 'arguments': {}}]}");
    var answered = parsed("{'id': 'r', 'role': 'tool', 'content': 'seen', 'tool_call_id': 't'}");
    var said = parsed("{'id': 'm', 'role': 'user', 'content': 'be brief'}");
    var run =
        begin(
            new TestGraph()
                .conversation()
                .node(
                    "model",
                    _ -> {
                      send("m", "messages", ListValue.of(said), IfUntaken.FOLD);
                      return TestNodes.set("messages", ListValue.of(called));
                    })
                .node("tools", _ -> TestNodes.set("messages", ListValue.of(answered)))
                .node("next", _ -> TestNodes.done())
                .edge("__start__", "model")
                .edge("model", "tools")
                .edge("tools", "next"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("messages")).isEqualTo(ListValue.of(called, answered, said));
    assertThat(run.runs().store.messages(run.header.id()).getFirst().taken()).containsExactly(2);
  }

  /// The driver has not heard of it when it commits the end.
  @Test
  void doesNotEndOverAMessageThatItHasNotSeen() {
    var run =
        begin(
            new TestGraph()
                .inbox(TO_TALK)
                .node(
                    "talk",
                    call -> {
                      seen.add(said(call));
                      return TestNodes.done();
                    })
                .edge("__start__", "talk"));

    assertThat(run.drive(new LateStore(run.runs().store, () -> sendUnheard("a"))))
        .isEqualTo(RunStatus.SUCCEEDED);

    assertThat(seen).containsExactly(ListValue.texts(), ListValue.texts("a"));
  }

  /// What was deferred is committed without the message that nobody has heard of.
  @Test
  void repeatsNoCallWhoseCommitWasDeferred() {
    var calls = new AtomicInteger();
    var run =
        begin(
            new TestGraph()
                .node(
                    "call",
                    _ -> {
                      calls.incrementAndGet();
                      return TestNodes.set("sum", 1);
                    })
                .node("pure", DeferredCommitsTests.pure("other"))
                .edge("__start__", "call")
                .edge("call", "pure"));

    assertThat(run.drive(new LateStore(run.runs().store, () -> sendUnheard("a"))))
        .isEqualTo(RunStatus.SUCCEEDED);

    assertThat(calls).hasValue(1);
    assertThat(run.state("said")).isEqualTo(ListValue.texts("a"));
    assertThat(run.runs().store.checkpoints(run.header.id())).hasSize(3);
  }

  private void sendUnheard(String id) {
    var run = running.get();
    run.runs()
        .store
        .send(
            run.header.id(),
            new InboxMessage(
                0, id, "said", Value.of(id), IfUntaken.FOLD, run.runs().clock.instant()));
  }

  @Test
  void foldsWhatNoNodeWouldSeeIntoTheFinalState() {
    var run =
        begin(new TestGraph().node("talk", talk(List.of(List.of("a")))).edge("__start__", "talk"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("said")).isEqualTo(ListValue.texts("a"));
  }

  @Test
  void takesMessagesWhereTheInputLeadsToTheEnd() {
    var run = begin(new TestGraph().node("talk", talk(List.of())).edge("__start__", "__end__"));
    send("a");
    send("b");

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("said")).isEqualTo(ListValue.texts("a", "b"));
    assertThat(seen).isEmpty();
  }

  @Test
  void activatesTheNodeOfTheInboxWhereTheInputLeadsToTheEnd() {
    var run =
        begin(
            new TestGraph()
                .inbox(TO_TALK)
                .node("talk", talk(List.of(List.of("b"))))
                .edge("__start__", "__end__"));
    send("a");

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(seen).containsExactly(ListValue.texts("a"), ListValue.texts("a", "b"));
  }

  @Test
  void leavesWhatIsToBeginTheNextRun() {
    var run =
        begin(
            new TestGraph()
                .node(
                    "talk",
                    _ -> {
                      send("a", "said", Value.of("a"), IfUntaken.START);
                      return TestNodes.done();
                    })
                .edge("__start__", "talk"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("said")).isEqualTo(Value.NULL);
    assertThat(run.runs().store.messages(run.header.id()))
        .singleElement()
        .satisfies(it -> assertThat(it.taken()).isEmpty());
  }

  /// What was said before is never behind what was said later.
  @Test
  void takesWhatMayBeginARunWithWhatComesBehindIt() {
    var run = begin(new TestGraph().node("talk", talk(List.of())).edge("__start__", "talk"));
    send("a", "said", Value.of("a"), IfUntaken.START);
    send("b");
    send("c", "said", Value.of("c"), IfUntaken.START);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("said")).isEqualTo(ListValue.texts("a", "b"));
  }

  @Test
  void takesAMessageThatCannotBeFoldedAndSaysWhy() {
    var run =
        begin(
            new TestGraph()
                .node(
                    "talk",
                    _ -> {
                      send("odd", "sum", Value.of("a text"), IfUntaken.FOLD);
                      send("m", "sum", Value.of(1), IfUntaken.FOLD);
                      return TestNodes.done();
                    })
                .edge("__start__", "talk"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("sum")).isEqualTo(Value.of(1));
    assertThat(run.events()).containsSubsequence("message.rejected", "message.taken");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void refusesWhatIsTooLargeAndTakesTheRest(boolean answers) {
    var limits = new EngineLimits(100, 256, 1_000, 1_000, 2_000, 4L << 20, Duration.ofDays(1));
    var graph = new TestGraph().node("talk", talk(List.of())).edge("__start__", "talk");
    var program =
        (answers ? graph.inbox(TO_TALK) : graph)
            .channel("said", new Reducer.Append())
            .channel("sum", new Reducer.Sum())
            .program();
    running.set(new TestRuns(limits).start(program, ObjectValue.empty()));
    var large = Value.of("x".repeat(3_000));
    for (int i = 0; i < 12; i++) {
      send("large" + i, "said", large, IfUntaken.FOLD);
    }
    send("small");

    assertThat(running.get().drive()).isEqualTo(RunStatus.SUCCEEDED);

    var all = running.get().runs().store.messages(running.get().header.id());
    assertThat(all).allMatch(it -> it.taken().size() == 1);
    assertThat(ListValue.orEmpty(running.get().state("said")).asList())
        .isEqualTo(answers ? List.of(Value.of("small")) : List.of());
  }

  @Test
  void waitsWithAQuestionUntilItIsAnswered() {
    var run =
        begin(
            new TestGraph()
                .inbox(TO_TALK)
                .node("ask", TestNodes.person("answer"))
                .node("talk", talk(List.of()))
                .edge("__start__", "ask")
                .edge("ask", "talk"));
    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    send("a");
    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);

    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("answer")).isEqualTo(Value.of("yes"));
    assertThat(seen).containsExactly(ListValue.texts("a"));
  }

  @Test
  void closesQuestionsWhereMessagesHaveTheRunGoOn() {
    var run =
        begin(
            new TestGraph()
                .inbox(
                    new InboxPolicy(
                        TO_TALK.channel(),
                        TO_TALK.node(),
                        At.NEXT_SUPERSTEP,
                        AtOnce.ALL,
                        IfAtRest.RESUME))
                .node("ask", TestNodes.person("answer"))
                .node("talk", talk(List.of()))
                .edge("__start__", "ask"));
    run.drive();
    send("a");

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(seen).containsExactly(ListValue.texts("a"));
    assertThat(run.state("answer")).isEqualTo(Value.NULL);
    assertThat(run.runs().store.interrupts(run.header.id()).values())
        .singleElement()
        .satisfies(it -> assertThat(it.status()).isEqualTo("cancelled"));
  }

  /// It may have been sent by somebody who did not know the question.
  @Test
  void closesNoQuestionThatCameBehindTheMessage() {
    var resumes =
        new InboxPolicy(
            TO_TALK.channel(), TO_TALK.node(), At.NEXT_SUPERSTEP, AtOnce.ALL, IfAtRest.RESUME);
    var person = TestNodes.person("answer");
    var run =
        begin(
            new TestGraph()
                .inbox(resumes)
                .node(
                    "ask",
                    call -> {
                      if (call.resume().isEmpty()) {
                        send("early");
                        running.get().runs().pass(Duration.ofMillis(5));
                      }
                      return person.run(call);
                    })
                .node("talk", talk(List.of()))
                .edge("__start__", "ask"));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.drive()).as("once more").isEqualTo(RunStatus.INTERRUPTED);

    run.runs().pass(Duration.ofMillis(5));
    send("late");
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(seen).containsExactly(ListValue.texts("early", "late"));
  }

  @Test
  void keepsMessagesOfARunThatFailsUntilItIsResumed() {
    var broken = new AtomicReference<>(true);
    var run =
        begin(
            new TestGraph()
                .inbox(TO_TALK)
                .node(
                    "work",
                    _ -> {
                      if (broken.get()) {
                        send("a");
                        return TestNodes.failed("broken");
                      }
                      return TestNodes.done();
                    })
                .node("talk", talk(List.of()))
                .edge("__start__", "work")
                .edge("work", "talk"));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    broken.set(false);

    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(seen).containsExactly(ListValue.texts("a"));
  }

  @Test
  void asksTheStoreNothingMoreInARunWithoutMessages() {
    var run =
        begin(
            new TestGraph()
                .inbox(TO_TALK)
                .node("talk", _ -> TestNodes.set("said", ObjectValue.of("a", 1)))
                .node("next", _ -> TestNodes.done())
                .edge("__start__", "talk")
                .edge("talk", "next"));
    var reads = new AtomicInteger();

    run.drive(new CountingStore(run.runs().store, reads));

    assertThat(reads).hasValue(0);
  }

  /// Has something happen right before the first commit.
  private static final class LateStore implements CheckpointStore {
    private final CheckpointStore store;
    private Runnable late;

    LateStore(CheckpointStore store, Runnable late) {
      this.store = store;
      this.late = late;
    }

    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      late.run();
      late = () -> {};
      return store.commit(lease, commits);
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      store.record(lease, records, events);
    }

    @Override
    public RunSignals signals(Lease lease) {
      return store.signals(lease);
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      return store.expire(lease, interrupts);
    }
  }
}
