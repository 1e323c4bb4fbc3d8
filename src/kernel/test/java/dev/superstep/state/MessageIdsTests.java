package dev.superstep.state;

import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.message;
import static dev.superstep.state.StateFixtures.messages;
import static dev.superstep.state.StateFixtures.mirrored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageIdsTests {
  private static final Channels CHANNELS = channels(channel("messages", new Reducer.Messages()));
  private static final ObjectValue WITH = message("given", "hello");
  private static final ObjectValue WITHOUT = WITH.minus("id");

  /// E5, E46: ids derive from prefix and position and from nothing else.
  @Test
  void givesTheSameIdsEveryTime() {
    var change = Change.update("messages", messages(WITHOUT, WITH, WITHOUT));
    var once = ids(MessageIds.identify(change, CHANNELS, "0/1/node/", 0));
    var again = ids(MessageIds.identify(change, CHANNELS, "0/1/node/", 0));
    var elsewhere = ids(MessageIds.identify(change, CHANNELS, "0/2/node/", 0));
    var later = ids(MessageIds.identify(change, CHANNELS, "0/1/node/", 1));
    assertThat(once).isEqualTo(again).hasSize(3).doesNotHaveDuplicates();
    assertThat(once.get(0)).matches("m-[0-9a-f]{16}");
    assertThat(once.get(1)).isEqualTo("given");
    assertThat(elsewhere.get(0)).isNotEqualTo(once.get(0));
    assertThat(later.get(0)).isEqualTo(once.get(2));
  }

  @Test
  void leavesAChangeAloneThatNeedsNoIds() {
    var change = Change.update("messages", messages(WITH));
    assertThat(MessageIds.identify(change, CHANNELS, "p", 0)).isSameAs(change);
    var other = Change.update("notes", messages(WITHOUT));
    assertThat(MessageIds.identify(other, CHANNELS, "p", 0)).isSameAs(other);
    assertThat(MessageIds.identify(other, Channels.none(), "p", 0)).isSameAs(other);
  }

  @Test
  void givesIdsToOverwritesAndUpdates() {
    var change =
        new Change(
            List.of(),
            List.of(),
            ObjectValue.of("messages", messages(WITHOUT)),
            ObjectValue.of("messages", messages(WITHOUT)));
    var identified = MessageIds.identify(change, CHANNELS, "p", 0);
    var fold = Fold.over(CHANNELS, GraphState.empty());
    assertThat(fold.apply(List.of(identified))).isEmpty();
    assertThat(((ListValue) fold.state().channels().getOr("messages", Value.NULL)).size())
        .isEqualTo(2);
  }

  /// E18, E21: defaults are there at superstep 0, in the mirror, too.
  @Test
  void startsFromTheDefaults() {
    var messages =
        new Channel(
            "messages",
            new Reducer.Messages(),
            Optional.of(messages(WITHOUT)),
            false,
            Optional.of("full"),
            Channel.OnConflict.LAST,
            ValueCheck.NONE);
    var channels = channels(messages, mirrored("other", "full"), StateFixtures.appendOnly("full"));
    var initial = channels.withDefaults(GraphState.empty());
    assertThat(initial.channels().asMap().keySet()).containsExactly("full", "messages");
    assertThat(initial.get("full")).isEqualTo(initial.get("messages"));
    assertThat(channels.withDefaults(initial)).isEqualTo(initial);
    assertThat(channels.withDefaults(StateFixtures.state("messages", Value.NULL)))
        .isEqualTo(StateFixtures.state("messages", Value.NULL));
  }

  /// E21: a mirror may have a default of its own; it comes first.
  @Test
  void putsDefaultMessagesBehindTheMirrorsOwn() {
    var full = withDefault(StateFixtures.appendOnly("full"), messages(message("1", "old")));
    var messages = withDefault(mirrored("messages", "full"), messages(WITH));
    assertThat(channels(messages, full).withDefaults(GraphState.empty()).get("full"))
        .isEqualTo(messages(message("1", "old"), WITH));
  }

  private static Channel withDefault(Channel channel, Value initial) {
    return new Channel(
        channel.name(),
        channel.reducer(),
        Optional.of(initial),
        channel.appendOnly(),
        channel.mirrorTo(),
        channel.onConflict(),
        channel.check());
  }

  private static List<String> ids(Change change) {
    return ((ListValue) change.update().getOr("messages", Value.NULL))
        .stream().map(MessageShape::id).map(String::valueOf).toList();
  }
}
