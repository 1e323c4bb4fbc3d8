package dev.superstep.state.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListValueTests {

  /// E2: no version changes when another is made from it.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void behavesLikeAJavaListInEveryVersion(long seed) {
    var random = new RandomValues(seed);
    List<ListValue> versions = new ArrayList<>(List.of(ListValue.empty()));
    List<List<Value>> models = new ArrayList<>(List.of(List.of()));
    for (int step = 0; step < 400; step++) {
      int from = random.below(3) == 0 ? random.below(versions.size()) : versions.size() - 1;
      var model = new ArrayList<>(models.get(from));
      versions.add(changed(versions.get(from), model, random));
      models.add(model);
      if (random.below(4) == 0) {
        assertThat(Canonical.size(versions.getLast()))
            .isEqualTo(Canonical.bytes(versions.getLast()).length);
      }
    }
    for (int i = 0; i < versions.size(); i++) {
      assertThat(versions.get(i).asList())
          .as("seed %d, version %d", seed, i)
          .isEqualTo(models.get(i));
      assertThat(versions.get(i)).isEqualTo(ListValue.of(models.get(i)));
      assertThat(Canonical.size(versions.get(i)))
          .isEqualTo(Canonical.bytes(versions.get(i)).length);
    }
  }

  private static ListValue changed(ListValue list, List<Value> model, RandomValues random) {
    int size = model.size();
    return switch (random.below(9)) {
      case 0, 1 -> {
        var item = random.value(1);
        model.add(item);
        yield list.plus(item);
      }
      case 2, 3, 4 -> {
        var block = random.list(random.below(random.below(4) == 0 ? 1500 : 40), 0);
        model.addAll(block.asList());
        yield list.plusAll(block);
      }
      case 5, 6 -> size == 0 ? list : replaced(list, model, random);
      case 7 -> {
        int from = random.below(3) == 0 ? random.below(size + 1) : 0;
        int to = from + random.below(size - from + 1);
        var kept = List.copyOf(model.subList(from, to));
        model.clear();
        model.addAll(kept);
        yield list.slice(from, to);
      }
      default -> {
        int hash = random.below(7);
        model.removeIf(it -> Math.floorMod(it.hashCode(), 7) == hash);
        yield list.filter(it -> Math.floorMod(it.hashCode(), 7) != hash);
      }
    };
  }

  private static ListValue replaced(ListValue list, List<Value> model, RandomValues random) {
    int place = random.below(model.size());
    var item = random.value(1);
    model.set(place, item);
    return list.with(place, item);
  }

  @Test
  void growsOverSeveralLevels() {
    var list = ListValue.empty();
    for (int i = 0; i < 40_000; i++) {
      list = list.plus(Value.of(i));
    }
    assertThat(list.size()).isEqualTo(40_000);
    var all = list;
    assertThat(IntStream.range(0, 40_000).allMatch(i -> all.get(i).equals(Value.of(i)))).isTrue();
    assertThat(list.with(17, Value.NULL).get(17)).isEqualTo(Value.NULL);
    assertThat(list.get(17)).isEqualTo(Value.of(17));
    assertThat(list.slice(0, 1025).plus(Value.TRUE).get(1025)).isEqualTo(Value.TRUE);
  }

  @Test
  void refusesPlacesOutside() {
    var list = ListValue.texts("a");
    assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.with(1, Value.NULL))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.slice(0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.iterator().remove())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
