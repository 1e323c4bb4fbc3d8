package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.ask;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.state.Change;
import dev.superstep.state.GraphState;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// definitions.md, *Compaction*: S0-8 to S0-11, C4, C21.
class CompactionTests {
  private static final long SEED = Long.getLong("superstep.seed", 20_261_121L);
  private static final Summarizer COUNT =
      (messages, _) -> Optional.of("summary of %d".formatted(messages.size()));

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
    assertThat(run.events()).contains("task.failed").doesNotContain("run.failed");
    var failed = record(run, "22", "__compact__:messages");
    assertThat(failed.ending())
        .isInstanceOfSatisfying(
            TaskRecord.Ending.Handled.class,
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
                .node("b", _ -> new Outcome.Done(NodeResult.of(change(edit))))
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

  private static Change change(Edit edit) {
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

  /// While a sibling asks, the summary is kept; it is made once, and folded with the answer.
  @Test
  void keepsItsSummaryWhileASiblingAsks() {
    var calls = new AtomicInteger();
    Summarizer counting =
        (messages, call) -> {
          calls.incrementAndGet();
          return COUNT.summarize(messages, call);
        };
    var run = TestRuns.of(asking(counting));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(texts(run, "messages")).hasSize(5);
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(texts(run, "messages")).containsExactly("summary of 4", "m5");
    assertThat(calls).hasValue(1);
  }

  /// E42: a summary of messages that were edited in the meantime says something else.
  @Test
  void dropsASummaryOfWhatWasEditedWhileItWasHeld() {
    var run = TestRuns.of(asking(COUNT));

    run.drive();
    run.edit(change(Edit.UPSERT));
    run.answer(Value.of("yes"));

    assertThat(texts(run, "messages")).containsExactly("m1", "new", "m3", "m4", "m5");
    assertThat(run.events()).contains("channel.compaction_dropped");
  }

  private static TestGraph asking(Summarizer summarizer) {
    return conversation(4, 1, summarizer)
        .node("a", _ -> set("messages", identified("m1", "m2", "m3", "m4", "m5")))
        .node("b", call -> call.resume().isPresent() ? done() : ask("ready?"))
        .edge("__start__", "a")
        .edge("a", "b");
  }

  /// E47: at whatever write to the store the process dies, the run ends as if it had not.
  @Test
  void compactsExactlyOnceWhateverDies() {
    var undisturbed = TestRuns.of(loop(conversation(4, 2, COUNT), 12));
    undisturbed.drive();
    var compacted = events(undisturbed, "channel.compacted");
    boolean dies = true;
    int deaths = 0;
    for (int call = 1; dies; call++) {
      dies = false;
      for (var when : Death.values()) {
        var run = TestRuns.of(loop(conversation(4, 2, COUNT), 12));
        var store = new DyingStore(run.runs().store, call, when);
        driveThrough(run, store);
        assertThat(run.head().status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(run.hash()).as("dies %s write %d", when, call).isEqualTo(undisturbed.hash());
        assertThat(events(run, "channel.compacted")).isEqualTo(compacted);
        dies |= store.hasDied.get();
        deaths += store.hasDied.get() ? 1 : 0;
      }
    }
    assertThat(deaths).isGreaterThan(20);
    assertThat(compacted).isGreaterThan(3);
  }

  private static long events(TestRun run, String type) {
    return run.events().stream().filter(type::equals).count();
  }

  /// E10.3: the recorded outcome of a summarizer that calls out is used, not made again.
  @Test
  void asksASummarizerOnceThatHasAnswered() {
    var calls = new AtomicInteger();
    var recorded = new CountDownLatch(1);
    Summarizer counting =
        (messages, call) -> {
          calls.incrementAndGet();
          return COUNT.summarize(messages, call);
        };
    var graph =
        conversation(4, 1, counting)
            .node("a", _ -> set("messages", identified("m1", "m2", "m3", "m4", "m5")))
            .node(
                "b",
                _ -> {
                  assertThat(recorded.await(10, TimeUnit.SECONDS)).isTrue();
                  return done();
                })
            .edge("__start__", "a")
            .edge("a", "b");
    var run = TestRuns.of(graph);
    var store = new DyingStore(run.runs().store, 2, Death.AFTER);

    try {
      run.drive(store);
    } catch (SimulatedWorld.Crash _) {
      recorded.countDown();
      run.drive();
    }

    assertThat(store.hasDied).isTrue();
    assertThat(texts(run, "messages")).containsExactly("summary of 4", "m5");
    assertThat(calls).hasValue(1);
  }

  private static void driveThrough(TestRun run, DyingStore store) {
    try {
      run.drive(store);
    } catch (SimulatedWorld.Crash _) {
      run.drive();
    }
  }

  enum Death {
    BEFORE,
    AFTER
  }

  /// Kills its process once, around one of its writes.
  private record DyingStore(
      CheckpointStore store, int at, Death when, AtomicInteger writes, AtomicBoolean hasDied)
      implements CheckpointStore {

    DyingStore(CheckpointStore store, int at, Death when) {
      this(store, at, when, new AtomicInteger(), new AtomicBoolean());
    }

    @Override
    public Result commit(Lease lease, Commit commit) {
      boolean dies = writes.incrementAndGet() == at;
      die(dies && when == Death.BEFORE);
      var result = store.commit(lease, commit);
      die(dies && when == Death.AFTER);
      return result;
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      boolean dies = writes.incrementAndGet() == at;
      die(dies && when == Death.BEFORE);
      store.record(lease, records, events);
      die(dies && when == Death.AFTER);
    }

    private void die(boolean now) {
      if (now) {
        hasDied.set(true);
        throw new SimulatedWorld.Crash();
      }
    }

    @Override
    public News news(Lease lease) {
      return store.news(lease);
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
        new RunStart.Origin(
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

  private static TestGraph conversation(int over, int keepLast, Summarizer summarizer) {
    return new TestGraph().conversation().compact(over, keepLast, summarizer);
  }

  /// A node that says one thing per superstep.
  private static TestGraph loop(TestGraph graph, int rounds) {
    return graph
        .superstepsMax(rounds + 1)
        .node(
            "a",
            call -> {
              int round = call.task().key().superstep();
              return round < rounds ? TestNodes.goTo(change("m" + round), "a") : say("m" + round);
            })
        .edge("__start__", "a");
  }

  private static Change change(String text) {
    return Change.update("messages", messages("assistant", text));
  }

  /// Two nodes side by side that say what the seed wants, call tools and get results.
  private static TestGraph talk(TestGraph graph, long seed) {
    return graph
        .superstepsMax(12)
        .node("a", call -> talk(call, seed, "a"))
        .node("b", call -> talk(call, seed, "b"))
        .edge("__start__", "a", "b");
  }

  private static Outcome talk(NodeCall call, long seed, String node) {
    int round = call.task().key().superstep();
    var random = new Random(seed * 1_000 + round * 10L + node.charAt(0));
    var said = new ArrayList<Value>();
    IntStream.range(0, 1 + random.nextInt(4))
        .forEach(it -> addTo(said, random, node + round + "-" + it));
    var change = Change.update("messages", ListValue.of(said));
    return round < 10 ? TestNodes.goTo(change, node) : new Outcome.Done(NodeResult.of(change));
  }

  private static void addTo(List<Value> said, Random random, String text) {
    switch (random.nextInt(4)) {
      case 0 -> said.add(plain("user", text));
      case 1 -> {
        var call = ObjectValue.of("id", Value.of(text)).plus("name", Value.of("f"));
        said.add(plain("assistant", "").plus("tool_calls", ListValue.of(call)));
        said.add(plain("tool", text).plus("tool_call_id", Value.of(text)));
      }
      case 2 -> said.add(plain("system", text));
      default -> said.add(plain("assistant", text));
    }
  }

  private static Outcome say(String... texts) {
    return set("messages", messages("user", texts));
  }

  private static ListValue system(int count) {
    return messages(
        "system", IntStream.range(0, count).mapToObj(it -> "s" + it).toArray(String[]::new));
  }

  private static ListValue messages(String role, String... texts) {
    return ListValue.of(List.of(texts).stream().map(it -> plain(role, it)).toList());
  }

  private static ListValue identified(String... ids) {
    return ListValue.of(List.of(ids).stream().map(it -> message(it, "user", it)).toList());
  }

  private static ObjectValue message(String id, String role, String text) {
    return plain(role, text).plus("id", Value.of(id));
  }

  private static ObjectValue plain(String role, String text) {
    return ObjectValue.of("role", Value.of(role)).plus("content", Value.of(text));
  }

  private static ListValue list(Value value) {
    return value instanceof ListValue list ? list : ListValue.empty();
  }

  private static List<String> texts(TestRun run, String channel) {
    return list(run.state(channel)).stream()
        .map(it -> ((ObjectValue) it).getOr("content", Value.of("")))
        .map(it -> ((Value.Text) it).value())
        .toList();
  }

  private static List<String> taskKeys(TestRun run) {
    return records(run).stream().map(it -> it.key().toString()).toList();
  }

  private static TaskRecord record(TestRun run, String superstep, String node) {
    return records(run).stream()
        .filter(it -> it.key().toString().equals(superstep + ":" + node))
        .findFirst()
        .orElseThrow();
  }

  private static List<TaskRecord> records(TestRun run) {
    return run.runs().store.checkpoints(run.header.id()).stream()
        .filter(it -> it.after().stamp().kind() != CheckpointKind.HELD)
        .flatMap(it -> it.delta().tasks().stream())
        .toList();
  }
}
