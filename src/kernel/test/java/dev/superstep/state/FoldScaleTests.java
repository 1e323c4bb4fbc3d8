package dev.superstep.state;

import static dev.superstep.state.StateFixtures.change;
import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.message;
import static dev.superstep.state.StateFixtures.messages;
import static dev.superstep.state.StateFixtures.mirrored;
import static dev.superstep.state.StateFixtures.removeMessages;
import static dev.superstep.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/// S0-5, E16, E45: folding is linear in the changes. The bounds are hundreds of times what it
/// takes; copying the channel once per change would exceed them.
class FoldScaleTests {
  private static final Duration BOUND = Duration.ofSeconds(20);

  @Test
  void appendsOneItemForEachOfManyTasks() {
    var log = channel("log", new Reducer.Append());
    var fold = Fold.over(channels(log), state("log", numbers(200_000)));
    foldAll(fold, IntStream.range(0, 100_000).mapToObj(i -> change("log", Value.of(i))).toList());
    assertThat(list(fold.state(), "log").size()).isEqualTo(300_000);
  }

  @Test
  void mergesOneKeyForEachOfManyTasks() {
    var facts = channel("facts", new Reducer.Merge());
    var deep = channel("deep", new Reducer.DeepMerge());
    var fold = Fold.over(channels(facts, deep), GraphState.empty());
    foldAll(
        fold,
        IntStream.range(0, 50_000)
            .mapToObj(i -> ObjectValue.of("key" + i, Value.of(i)))
            .map(it -> change("facts", it, "deep", ObjectValue.of("in", it)))
            .toList());
    assertThat(fold.state().get("facts"))
        .isInstanceOfSatisfying(ObjectValue.class, it -> assertThat(it.size()).isEqualTo(50_000));
  }

  @Test
  void unitesOneItemForEachOfManyTasks() {
    var tags = channel("tags", new Reducer.Union());
    var fold = Fold.over(channels(tags), state("tags", numbers(20_000)));
    foldAll(
        fold,
        IntStream.range(0, 50_000)
            .mapToObj(i -> change("tags", ListValue.of(Value.of(i % 30_000))))
            .toList());
    assertThat(list(fold.state(), "tags")).isEqualTo(numbers(30_000));
  }

  @Test
  void foldsBlocksIntoALongConversation() {
    var channels = channels(mirrored("messages", "full"), StateFixtures.appendOnly("full"));
    var old = new ArrayList<Value>();
    for (int i = 0; i < 100_000; i++) {
      old.add(message("old" + i, "hello"));
    }
    var fold = Fold.over(channels, state("messages", ListValue.of(old)));
    foldAll(
        fold,
        IntStream.range(0, 5_000)
            .mapToObj(i ->
                change("messages", messages(message("new" + i, "hi"), message("old" + i, "!"))))
            .toList());
    foldAll(fold, IntStream.range(0, 5_000).mapToObj(i -> removeMessages("old" + i)).toList());
    assertThat(list(fold.state(), "messages").size()).isEqualTo(100_000);
    assertThat(list(fold.state(), "full").size()).isEqualTo(10_000);
  }

  /// The state grows by one message per superstep: hash and size cost O(message) each time.
  @Test
  void hashesAndMeasuresALongConversationSuperstepBySuperstep() {
    var channels = channels(channel("messages", new Reducer.Messages()));
    Assertions.assertTimeoutPreemptively(
        BOUND,
        () -> {
          var state = GraphState.empty();
          for (int i = 0; i < 20_000; i++) {
            var fold = Fold.over(channels, state);
            var block = messages(message("m" + i, "hello"));
            assertThat(fold.apply(List.of(change("messages", block)))).isEmpty();
            state = fold.state();
            StateHash.of(state);
            state.sizeBytes();
          }
          assertThat(StateHash.of(state))
              .isEqualTo(
                  StateHash.of(state("messages", ListValue.of(list(state, "messages").asList()))));
        });
  }

  private static void foldAll(Fold fold, List<Change> changes) {
    Assertions.assertTimeoutPreemptively(
        BOUND,
        () -> {
          for (var change : changes) {
            assertThat(fold.apply(List.of(change)).isEmpty()).isTrue();
          }
          fold.state();
        });
  }

  private static ListValue list(GraphState state, String channel) {
    return (ListValue) state.channels().getOr(channel, Value.NULL);
  }

  private static ListValue numbers(int count) {
    return ListValue.of(IntStream.range(0, count).mapToObj(Value::of).toList());
  }
}
