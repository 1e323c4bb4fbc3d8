package dev.superstep.state;

import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.ints;
import static dev.superstep.state.StateFixtures.message;
import static dev.superstep.state.StateFixtures.messages;
import static dev.superstep.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.ChangeDerivation.DerivedChange;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeDerivationTests {
  private static final Channels CHANNELS =
      channels(
          channel("log", new Reducer.Append()),
          channel("messages", new Reducer.Messages()),
          channel("count", new Reducer.Sum()),
          channel("facts", new Reducer.Merge()),
          channel("tags", new Reducer.Union()));

  /// E4: value, suffix, difference, removal; what is unchanged is no part of the change.
  @Test
  void derivesWhatIsUnambiguous() {
    var hello = message("1", "hello");
    var before =
        state("log", ints(1, 1))
            .with("count", Value.of(1))
            .with("name", Value.of("a"))
            .with("facts", ObjectValue.of("a", ints(1)))
            .with("old", Value.of(1));
    var after =
        before
            .with("log", ints(1, 1, 1))
            .with("messages", messages(hello))
            .with("count", Value.of(2))
            .with("name", Value.of("b"))
            .without("old");
    var change =
        new Change(
            List.of("old"),
            List.of(),
            ObjectValue.empty(),
            ObjectValue.of("log", ints(1))
                .plus("messages", messages(hello))
                .plus("count", Value.of(1))
                .plus("name", Value.of("b")));
    assertThat(ChangeDerivation.derive(CHANNELS, before, after))
        .isEqualTo(new DerivedChange.Derived(change));
    var fold = Fold.over(CHANNELS, before);
    assertThat(fold.apply(List.of(change))).isEmpty();
    assertThat(fold.state()).isEqualTo(after);
  }

  /// E4: `delta_not_derivable`.
  @Test
  void refusesToGuess() {
    var before =
        state("log", ints(1, 2))
            .with("count", Value.of(1))
            .with("facts", ObjectValue.empty())
            .with("tags", ints(1));
    refuses(before, "log", ints(2, 1, 3));
    refuses(before, "log", ints(1));
    refuses(before, "log", Value.of(3));
    refuses(before, "count", Value.of("2"));
    refuses(before, "count", Value.NULL);
    refuses(before, "facts", ObjectValue.of("a", Value.of(1)));
    refuses(before, "tags", ints(1, 2));
    refuses(before.with("count", Value.of(1.5)), "count", Value.of(3));
    refuses(before.with("count", Value.of(Long.MIN_VALUE)), "count", Value.of(1));
    refuses(before.with("count", Value.of(1e308)), "count", Value.of(-1e308));
  }

  private static void refuses(GraphState before, String channel, Value value) {
    assertThat(ChangeDerivation.derive(CHANNELS, before, before.with(channel, value)))
        .isInstanceOfSatisfying(
            DerivedChange.NotDerivable.class, it -> assertThat(it.channel()).isEqualTo(channel));
  }
}
