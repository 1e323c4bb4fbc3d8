package dev.superstep.state;

import static dev.superstep.state.StateFixtures.change;
import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.checked;
import static dev.superstep.state.StateFixtures.ints;
import static dev.superstep.state.StateFixtures.overwrite;
import static dev.superstep.state.StateFixtures.remove;
import static dev.superstep.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoldCustomTests {
  private static final Channel CONTEXT =
      channel("context", new Reducer.Custom("context", FoldCustomTests::mergeContexts));

  /// S0-12, S0-18, E19: the seed's context example, as a Java function.
  private static Value mergeContexts(Value left, Value right) {
    if (!(left instanceof ObjectValue first) || !(right instanceof ObjectValue second)) {
      throw new ReduceException("", "contexts are objects");
    }
    var user = first.get("user_id");
    if (user == null) {
      throw new ReduceException("/user_id", "the accumulated context has no user_id");
    }
    var session = first.getOr("session", ObjectValue.empty());
    var count =
        new Reducer.Sum()
            .reduce(
                first.getOr("request_count", Value.of(0)),
                second.getOr("request_count", Value.of(0)));
    var tags =
        new Reducer.Union()
            .reduce(
                first.getOr("tags", ListValue.empty()), second.getOr("tags", ListValue.empty()));
    return ObjectValue.of("user_id", user)
        .plus("session", second.getOr("session", session))
        .plus("request_count", count)
        .plus("tags", tags);
  }

  /// S0-12
  @Test
  void mergesTheSeedsContext() {
    var first =
        ObjectValue.of("user_id", Value.of("u1"))
            .plus("request_count", Value.of(1))
            .plus("tags", ListValue.texts("b"));
    var second =
        ObjectValue.of("request_count", Value.of(2)).plus("tags", ListValue.texts("a", "b"));
    var fold = Fold.over(channels(CONTEXT), GraphState.empty());
    assertThat(fold.apply(List.of(change("context", first)))).isEmpty();
    assertThat(fold.apply(List.of(change("context", second)))).isEmpty();
    assertThat(fold.state().get("context"))
        .hasToString(
            "{\"request_count\":3,\"session\":{},\"tags\":[\"a\",\"b\"],\"user_id\":\"u1\"}");
  }

  /// E20: the failing task is the one whose update was being folded.
  @Test
  void blamesTheTaskWhoseUpdateCannotBeMerged() {
    var fold = Fold.over(channels(CONTEXT), state("context", ObjectValue.empty()));
    assertThat(fold.apply(List.of(change("context", ObjectValue.empty()))))
        .contains(
            new Fold.Problem(
                "reducer_failed", "context", "/user_id", "the accumulated context has no user_id"));
  }

  /// E19: the delta keeps what a user's merge has made of its channel.
  @Test
  void namesTheResultsOfUsersMerges() {
    assertThat(folded().opaque())
        .isEqualTo(
            Map.of(
                "a",
                Optional.of(Value.of(6)),
                "b",
                Optional.empty(),
                "c",
                Optional.of(Value.of(9))));
  }

  /// E19: reading history never runs user code.
  @Test
  void replaysWithoutCallingTheUsersFunctions() {
    var fold = folded();
    MergeFunction ran =
        (_, _) -> {
          throw new AssertionError("a user's function ran");
        };
    ValueCheck checked =
        _ -> {
          throw new AssertionError("a schema was checked");
        };
    var replay = Fold.replay(adders(ran, checked), BEFORE, fold.opaque());
    CHANGES.forEach(it -> assertThat(replay.apply(List.of(it))).isEmpty());
    assertThat(replay.state()).isEqualTo(fold.state());
    assertThat(replay.opaque()).isEqualTo(fold.opaque());
    assertThat(StateHash.of(replay.state())).isEqualTo(StateHash.of(fold.state()));
  }

  private static final GraphState BEFORE =
      state("a", Value.of(1)).with("b", Value.of(1)).with("log", ints(1));
  private static final List<Change> CHANGES =
      List.of(
          change("a", Value.of(2), "log", Value.of(2)),
          change("a", Value.of(3), "b", Value.of(1)),
          overwrite("c", Value.of(9)),
          remove("b"));

  private static Channels adders(MergeFunction merge, ValueCheck check) {
    var adding = new Reducer.Custom("add", merge);
    return channels(
        checked("a", adding, check),
        checked("b", adding, check),
        checked("c", adding, check),
        checked("log", new Reducer.Append(), check));
  }

  private static Fold folded() {
    var sum = new Reducer.Sum();
    var fold = Fold.over(adders(sum::reduce, ValueCheck.NONE), BEFORE);
    CHANGES.forEach(it -> assertThat(fold.apply(List.of(it))).isEmpty());
    return fold;
  }

  /// Channels that take blocks check the block, others what they have become.
  @Test
  void checksSchemas() {
    ValueCheck small =
        value ->
            value instanceof ListValue list && list.size() > 2
                ? List.of(new ValueCheck.Mismatch("", "too long"))
                : value instanceof ListValue list && list.get(0).equals(Value.of(0))
                    ? List.of(new ValueCheck.Mismatch("/0", "zero"))
                    : value.equals(Value.of(3))
                        ? List.of(new ValueCheck.Mismatch("", "three"))
                        : List.of();
    var channels =
        channels(
            checked("log", new Reducer.Append(), small), checked("sum", new Reducer.Sum(), small));
    var frozen = state("log", ints(1, 2, 3)).with("sum", Value.of(1));
    assertThat(problem(channels, frozen, change("log", ints(1, 2)))).isEmpty();
    assertThat(problem(channels, frozen, change("log", Value.of(0))))
        .contains(new Fold.Problem("schema_violation", "log", "", "zero"));
    assertThat(problem(channels, frozen, overwrite("log", ints(1, 2, 3))))
        .contains(new Fold.Problem("schema_violation", "log", "", "too long"));
    assertThat(problem(channels, frozen, change("sum", Value.of(2))))
        .contains(new Fold.Problem("schema_violation", "sum", "", "three"));
  }

  private static Optional<Fold.Problem> problem(
      Channels channels, GraphState frozen, Change change) {
    return Fold.over(channels, frozen).apply(List.of(change));
  }
}
