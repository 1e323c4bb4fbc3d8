package dev.superstep.state;

import static dev.superstep.state.StateFixtures.change;
import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.ints;
import static dev.superstep.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.RandomValues;
import dev.superstep.state.value.Value;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateHashTests {

  /// E46: a value's hash depends on what it is, not on how it became that.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isTheSameWhateverTheHistory(long seed) {
    var random = new RandomValues(seed);
    var list = ListValue.empty();
    var model = new ArrayList<Value>();
    for (int step = 0; step < 300; step++) {
      if (random.below(4) == 0 && !model.isEmpty()) {
        int place = random.below(10) == 0 ? random.below(model.size()) : model.size() - 1;
        var item = random.value(1);
        list = list.with(place, item);
        model.set(place, item);
      } else {
        var block = random.list(random.below(20), 1);
        list = list.plusAll(block);
        model.addAll(block.asList());
      }
      if (random.below(3) == 0) {
        StateHash.of(list);
      }
      if (random.below(40) == 0) {
        int kept = random.below(model.size() + 1);
        list = list.slice(0, kept);
        model.subList(kept, model.size()).clear();
      }
      if (random.below(10) == 0) {
        assertThat(StateHash.of(list))
            .as("seed %d, step %d", seed, step)
            .isEqualTo(StateHash.of(ListValue.of(model)));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void isTheSameForArraysAndTrees(long seed) {
    var random = new RandomValues(seed);
    var object = ObjectValue.empty();
    var model = new HashMap<String, Value>();
    for (int step = 0; step < 300; step++) {
      var key = "k" + random.below(80);
      if (random.below(3) == 0) {
        object = object.minus(key);
        model.remove(key);
      } else {
        var value = random.value(2);
        object = object.plus(key, value);
        model.put(key, value);
      }
      assertThat(StateHash.of(object))
          .as("seed %d, step %d", seed, step)
          .isEqualTo(StateHash.of(ObjectValue.of(model)));
    }
  }

  /// E46: by its definition, computed here once more.
  @Test
  void chainsTheItemsOfAList() throws NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256");
    var items = ListValue.of(Value.of(1), ListValue.texts("a"), ObjectValue.of("b", Value.of(2.0)));
    var hash = digest.digest(Canonical.bytes(ListValue.empty()));
    for (var item : items) {
      digest.update(hash);
      hash = digest.digest(Canonical.bytes(item));
    }
    assertThat(StateHash.of(items)).isEqualTo(HexFormat.of().formatHex(hash));
    digest.update(Canonical.bytes(Value.of("items")));
    assertThat(StateHash.of(state("items", items)))
        .isEqualTo(HexFormat.of().formatHex(digest.digest(hash)));
  }

  /// E46: 1 and 1.0 differ.
  @Test
  void tellsApartWhatIsDifferent() {
    var values =
        List.of(
            Value.NULL,
            Value.of(1),
            Value.of(1.0),
            Value.of("1"),
            Value.of(0.0),
            Value.of(-0.0),
            Value.of("[]"),
            ListValue.empty(),
            ObjectValue.empty(),
            ints(1),
            ListValue.of(ints(1)),
            ListValue.of(ListValue.empty()),
            ListValue.of(ObjectValue.empty()),
            ints(1, 1),
            ObjectValue.of("a", Value.of(1)),
            ObjectValue.of("a", ints(1)),
            ObjectValue.of("a", ObjectValue.empty()),
            ObjectValue.of("a", ListValue.empty()),
            ObjectValue.of("a", Value.of(1)).plus("b", Value.NULL));
    var hashes = new HashSet<String>();
    values.forEach(it -> hashes.add(StateHash.of(it)));
    assertThat(hashes).hasSameSizeAs(values);
    values.forEach(it -> hashes.add(StateHash.of(state("x", it))));
    values.forEach(it -> hashes.add(StateHash.of(state("y", it))));
    assertThat(hashes).hasSize(3 * values.size());
  }

  @Test
  void takesPseudoChannelsInLikeChannels() {
    var state = state("a", Value.of(1));
    var context = ObjectValue.of("__context", ObjectValue.of("history", ints(1, 2)));
    assertThat(StateHash.of(state, ObjectValue.empty())).isEqualTo(StateHash.of(state));
    assertThat(StateHash.of(state, context))
        .isNotEqualTo(StateHash.of(state))
        .isEqualTo(StateHash.of(state.with("__context", context.getOr("__context", Value.NULL))));
  }

  /// E2, E45: folding superstep by superstep, or all in one, gives one hash and one size.
  @Test
  void agreesBetweenARunAndItsRebuiltState() {
    var channels = channels(channel("log", new Reducer.Append()), channel("n", new Reducer.Sum()));
    var random = new RandomValues(7);
    var running = GraphState.empty();
    var changes = new ArrayList<Change>();
    for (int superstep = 0; superstep < 200; superstep++) {
      var change = change("log", random.list(random.below(9), 2), "n", Value.of(superstep));
      changes.add(change);
      var fold = Fold.over(channels, running);
      assertThat(fold.apply(List.of(change))).isEmpty();
      running = fold.state();
      assertThat(StateHash.of(running)).hasSize(64);
      assertThat(running.sizeBytes()).isPositive();
    }
    var rebuilt = Fold.over(channels, GraphState.empty());
    assertThat(rebuilt.apply(changes)).isEmpty();
    assertThat(rebuilt.state()).isEqualTo(running);
    assertThat(StateHash.of(rebuilt.state())).isEqualTo(StateHash.of(running));
    assertThat(running.sizeBytes())
        .isEqualTo(Canonical.bytes(running.channels()).length)
        .isEqualTo(rebuilt.state().sizeBytes());
  }
}
