package dev.superstep.state;

import static dev.superstep.state.StateFixtures.appendOnly;
import static dev.superstep.state.StateFixtures.change;
import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.checked;
import static dev.superstep.state.StateFixtures.message;
import static dev.superstep.state.StateFixtures.messages;
import static dev.superstep.state.StateFixtures.mirrored;
import static dev.superstep.state.StateFixtures.overwrite;
import static dev.superstep.state.StateFixtures.remove;
import static dev.superstep.state.StateFixtures.removeMessages;
import static dev.superstep.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The seed's channel strategies (S0-*) as they are built here.
class ChannelStrategyTests {
  private static final long SEED = Long.getLong("superstep.seed", 20_261_121L);
  private static final MergeFunction RIGHT_WINS = (_, right) -> right;

  /// The channels of seed 0, whose `context` merges by a user's function and starts from nothing.
  private static Channels template(MergeFunction merge) {
    var context =
        new Channel(
            "context",
            new Reducer.Custom("context", merge),
            Optional.of(ObjectValue.empty()),
            false,
            Optional.empty(),
            Channel.OnConflict.LAST,
            ValueCheck.NONE);
    return channels(context, mirrored("messages", "full_messages"), appendOnly("full_messages"));
  }

  /// S0-2, S0-13: `context` is what the user's function of two arguments makes of it. S0-3, S0-4:
  /// each block goes behind what is there, and the history keeps both. S0-19: there are these three
  /// fields only, and the business decides how its contexts merge.
  @Test
  void mergesTheThreeChannelsOfTheAgentTemplate() {
    MergeFunction pair = (left, right) -> ListValue.of(left, right);
    var fold = Fold.over(template(pair), state("context", Value.of("c1")));
    var first = messages(message("1", "a"), message("2", "b"));
    var second = messages(message("3", "c"), message("4", "d"));

    assertThat(fold.apply(List.of(change("context", Value.of("c2"), "messages", first)))).isEmpty();
    assertThat(fold.apply(List.of(change("messages", second)))).isEmpty();

    assertThat(fold.state().channels().asMap())
        .containsOnlyKeys("context", "messages", "full_messages");
    assertThat(fold.state().get("context")).isEqualTo(ListValue.texts("c1", "c2"));
    assertThat(fold.state().get("messages")).isEqualTo(first.plusAll(second));
    assertThat(fold.state().get("full_messages")).isEqualTo(first.plusAll(second));
  }

  /// S0-16, C3, C25: what is missing on either side is empty: an absent `context` goes to the merge
  /// as `{}`, an absent list is `[]`. Updates are folded, never whole states, so that what was
  /// there before is not doubled, and only the channels that were given are in the result.
  @Test
  void takesWhatIsMissingForEmpty() {
    MergeFunction pair = (left, right) -> ListValue.of(left, right);
    var channels = template(pair);
    var both = change("context", object("k"), "messages", messages(message("1", "a")));

    for (var before : List.of(GraphState.empty(), channels.withDefaults(GraphState.empty()))) {
      var fold = Fold.over(channels, before);
      assertThat(fold.apply(List.of(both))).isEmpty();
      assertThat(fold.state().get("context"))
          .isEqualTo(ListValue.of(ObjectValue.empty(), object("k")));
      assertThat(fold.state().get("messages")).isEqualTo(messages(message("1", "a")));
      assertThat(fold.state().channels().asMap())
          .containsOnlyKeys("context", "messages", "full_messages");
    }

    var m0 = messages(message("0", "before"));
    var fold =
        Fold.over(channels, state("messages", m0).with("full_messages", m0).with("context", m0));
    assertThat(fold.apply(List.of(change("messages", messages(message("1", "a")))))).isEmpty();
    assertThat(fold.apply(List.of(Change.NONE))).isEmpty();
    assertThat(fold.state().get("messages"))
        .isEqualTo(messages(message("0", "before"), message("1", "a")));
    assertThat(fold.state().get("context")).isEqualTo(m0);
  }

  /// C25: the same after the channel was removed; without a default the update is taken as it is
  /// (E18).
  @Test
  void startsAMergeFromTheDefaultWheneverThereIsNoValue() {
    MergeFunction pair = (left, right) -> ListValue.of(left, right);
    var removed = Fold.over(template(pair), state("context", Value.of("old")));
    assertThat(removed.apply(List.of(remove("context")))).isEmpty();
    assertThat(removed.apply(List.of(change("context", Value.of("new"))))).isEmpty();
    assertThat(removed.state().get("context"))
        .isEqualTo(ListValue.of(ObjectValue.empty(), Value.of("new")));

    var bare = channels(channel("context", new Reducer.Custom("context", pair)));
    var first = Fold.over(bare, GraphState.empty());
    assertThat(first.apply(List.of(change("context", Value.of("new"))))).isEmpty();
    assertThat(first.state().get("context")).isEqualTo(Value.of("new"));
  }

  private static ObjectValue object(String key) {
    return ObjectValue.of(key, Value.of(1));
  }

  /// S0-17: `block_append(L1, L2) = L1 ++ L2`.
  @Test
  void appendsTheSecondListBehindTheFirst() {
    var appended =
        new Reducer.BlockAppend().reduce(ListValue.texts("a", "b"), ListValue.texts("c"));
    assertThat(appended).isEqualTo(ListValue.texts("a", "b", "c"));
  }

  /// S0-18: the accumulated value is the first argument, the incoming one the second.
  @Test
  void givesTheAccumulatedValueFirst() {
    MergeFunction pair = (left, right) -> ListValue.of(left, right);
    var merged = new Reducer.Custom("pair", pair).reduce(Value.of("old"), Value.of("new"));
    assertThat(merged).isEqualTo(ListValue.texts("old", "new"));
  }

  /// C2, C11, S1-10, S1-11: any field beside the three, `last_value` unless declared; those of the
  /// agents among them.
  @Test
  void keepsAnyFurtherField() {
    var fields =
        List.of(
            "system_prompt",
            "tools",
            "max_iterations",
            "iteration",
            "scratchpad",
            "callbacks",
            "callback_meta",
            "finish_reason",
            "validated_content",
            "interrupted",
            "rejected");
    var fold = Fold.over(template(RIGHT_WINS), GraphState.empty());
    for (var field : fields) {
      assertThat(fold.apply(List.of(change(field, Value.of(1))))).isEmpty();
      assertThat(fold.apply(List.of(change(field, Value.of(2))))).isEmpty();
      assertThat(fold.state().get(field)).as(field).isEqualTo(Value.of(2));
    }
    assertThat(fold.conflicts()).containsExactlyElementsOf(fields);
  }

  /// S0-5, S0-7, C12: blocks of any sizes are whole and in the order in which they are folded, and
  /// what was there before is there once and first. That this is task order, whatever ends first,
  /// is shown by `SuperstepTests`.
  @Test
  void keepsTheBlocksOfParallelNodesWhole() {
    System.out.println("seed of the blocks: " + SEED);
    var random = new Random(SEED);
    for (int round = 0; round < 1_000; round++) {
      var before = block("m", random.nextInt(40));
      var blocks = new ArrayList<ListValue>();
      int nodes = 2 + random.nextInt(5);
      for (int node = 0; node < nodes; node++) {
        blocks.add(block("n" + node + "-", random.nextInt(40)));
      }
      var fold =
          Fold.over(template(RIGHT_WINS), state("messages", before).with("full_messages", before));
      for (var result : blocks) {
        assertThat(fold.apply(List.of(change("messages", result)))).isEmpty();
      }

      var expected = before;
      for (var block : blocks) {
        expected = expected.plusAll(block);
      }
      var as = "round %d of seed %d".formatted(round, SEED);
      assertThat(fold.state().get("messages")).as(as).isEqualTo(expected);
      assertThat(fold.state().get("full_messages")).as(as).isEqualTo(expected);
    }
  }

  private static ListValue block(String prefix, int size) {
    return ListValue.of(
        IntStream.range(0, size).mapToObj(it -> message(prefix + it, "text")).toList());
  }

  /// C4, E21: `messages` may be overwritten and shortened, its mirror may not.
  @Test
  void shortensTheWorkingSetAndNeverTheHistory() {
    var fold = Fold.over(template(RIGHT_WINS), GraphState.empty());
    var three = messages(message("1", "a"), message("2", "b"), message("3", "c"));
    assertThat(fold.apply(List.of(change("messages", three)))).isEmpty();
    assertThat(fold.apply(List.of(removeMessages("1")))).isEmpty();
    assertThat(fold.apply(List.of(overwrite("messages", messages(message("3", "c")))))).isEmpty();
    assertThat(fold.state().get("messages")).isEqualTo(messages(message("3", "c")));
    assertThat(fold.state().get("full_messages")).isEqualTo(three);
  }

  /// S0-9, S0-10: of M1 to M10 the last four stay, one summary stands for the others, and the
  /// history is still M1 to M10. C4, E21: the summary is no message that the history has to keep.
  @Test
  void compactsTheWorkingSetAndNotTheHistory() {
    var ten = block("m", 10);
    var base = state("messages", ten).with("full_messages", ten);
    var summary = CompactionRangeFinder.summary("M1 to M6", 6).plus("id", Value.of("s"));
    var listCompaction =
        ListCompaction.of("messages", ten, new CompactionRangeFinder.FoundRange(0, 6))
            .with(summary);
    var fold = Fold.over(template(RIGHT_WINS), base);

    assertThat(fold.apply(List.of(Change.cut(listCompaction)))).isEmpty();

    assertThat(fold.state().get("messages")).isEqualTo(messages(summary).plusAll(ten.slice(6, 10)));
    assertThat(fold.state().get("full_messages")).isEqualTo(ten);

    assertThat(fold.apply(List.of(change("messages", messages(message("11", "d")))))).isEmpty();
    assertThat(fold.state().get("full_messages")).isEqualTo(ten.plus(message("11", "d")));
    assertThat(fold.touched()).containsExactly("messages", "full_messages");
  }

  /// E21: an append-only channel is not compacted; a mirror even less.
  @Test
  void refusesToCompactWhatNeverShrinks() {
    var two = messages(message("1", "a"), message("2", "b"));
    var channels =
        channels(
            mirrored("messages", "full_messages"), appendOnly("full_messages"), appendOnly("log"));
    assertThat(code(channels, "log", two)).isEqualTo("append_only");
    assertThat(code(channels, "full_messages", two)).isEqualTo("mirror_target");
    assertThat(code(channels, "other", two)).isEqualTo("none");
  }

  private static String code(Channels channels, String name, ListValue list) {
    var listCompaction = ListCompaction.of(name, list, new CompactionRangeFinder.FoundRange(0, 1));
    return Fold.over(channels, state(name, list))
        .apply(List.of(Change.cut(listCompaction)))
        .map(Fold.Problem::code)
        .orElse("none");
  }

  /// E45: a delta with a summary gives the same list again; no schema is checked then.
  @Test
  void replaysACompaction() {
    var two = messages(message("1", "a"), message("2", "b"));
    ValueCheck never =
        _ -> {
          throw new AssertionError("a schema was checked");
        };
    var listCompaction =
        ListCompaction.of("messages", two, new CompactionRangeFinder.FoundRange(0, 1))
            .with(CompactionRangeFinder.summary("a", 1));
    var live =
        Fold.over(channels(channel("messages", new Reducer.Messages())), state("messages", two));
    var replay =
        Fold.replay(
            channels(checked("messages", new Reducer.Messages(), never)),
            state("messages", two),
            java.util.Map.of());

    assertThat(live.apply(List.of(Change.cut(listCompaction)))).isEmpty();
    assertThat(replay.apply(List.of(Change.cut(listCompaction)))).isEmpty();
    assertThat(replay.state()).isEqualTo(live.state());
    assertThat(StateHash.of(replay.state())).isEqualTo(StateHash.of(live.state()));
  }

  /// E20: what a mirror gets, and a summary, have to satisfy the schema of their channel.
  @Test
  void checksMirrorsAndSummariesAgainstTheirSchemas() {
    ValueCheck refusing =
        value ->
            value.toString().contains("bad")
                ? List.of(new ValueCheck.Mismatch("/0/content", "is bad"))
                : List.of();
    var two = messages(message("1", "a"), message("2", "b"));
    var plain = channels(checked("messages", new Reducer.Messages(), refusing));
    var listCompaction =
        ListCompaction.of("messages", two, new CompactionRangeFinder.FoundRange(0, 1))
            .with(CompactionRangeFinder.summary("bad", 1));
    assertThat(Fold.over(plain, state("messages", two)).apply(List.of(Change.cut(listCompaction))))
        .get()
        .extracting(Fold.Problem::code)
        .isEqualTo("schema_violation");

    var history = checked("full_messages", new Reducer.BlockAppend(), refusing);
    var fold =
        Fold.over(channels(mirrored("messages", "full_messages"), history), GraphState.empty());
    var problem = fold.apply(List.of(change("messages", messages(message("1", "bad")))));
    assertThat(problem)
        .get()
        .extracting(Fold.Problem::code, Fold.Problem::channel, Fold.Problem::pointer)
        .containsExactly("schema_violation", "full_messages", "/0/content");
    assertThat(fold.state()).isEqualTo(GraphState.empty());
  }
}
