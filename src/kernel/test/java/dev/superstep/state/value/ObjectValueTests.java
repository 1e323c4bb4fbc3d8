package dev.superstep.state.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectValueTests {

  /// E2: no version changes when another is made from it.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void behavesLikeASortedMapInEveryVersion(long seed) {
    var random = new RandomValues(seed);
    List<ObjectValue> versions = new ArrayList<>(List.of(ObjectValue.empty()));
    List<TreeMap<String, Value>> models = new ArrayList<>(List.of(new TreeMap<>(Canonical.KEYS)));
    for (int step = 0; step < 1500; step++) {
      int from = random.below(20) == 0 ? random.below(versions.size()) : versions.size() - 1;
      var model = new TreeMap<>(models.get(from));
      versions.add(changed(versions.get(from), model, random));
      models.add(model);
    }
    for (int i = 0; i < versions.size(); i += 7) {
      var version = versions.get(i);
      assertThat(List.copyOf(version.asMap().entrySet()))
          .as("seed %d, version %d", seed, i)
          .isEqualTo(List.copyOf(models.get(i).entrySet()));
      assertThat(version).isEqualTo(ObjectValue.of(models.get(i)));
      assertThat(Canonical.size(version)).isEqualTo(Canonical.bytes(version).length);
    }
  }

  private static ObjectValue changed(
      ObjectValue object, Map<String, Value> model, RandomValues random) {
    return switch (random.below(10)) {
      case 0, 1 -> {
        var key = random.string();
        model.remove(key);
        yield object.minus(key);
      }
      case 2 -> {
        var key = random.below(2) == 0 || model.isEmpty() ? "k" : model.keySet().iterator().next();
        model.remove(key);
        yield object.minus(key);
      }
      case 3 -> {
        var more = random.object(random.below(60), 0);
        model.putAll(more.asMap());
        yield object.plusAll(more);
      }
      default -> {
        var key = random.string();
        var value = random.value(1);
        if (random.below(5) == 0) {
          Canonical.size(object);
        }
        model.put(key, value);
        yield object.plus(key, value);
      }
    };
  }

  @Test
  void ordersKeysByCodePoint() {
    var object =
        ObjectValue.of(
            Map.of("😀", Value.of(4), "\uFFFD", Value.of(3), "a", Value.of(2), "B", Value.of(1)));
    assertThat(object.asMap().keySet()).containsExactly("B", "a", "\uFFFD", "😀");
  }

  @Test
  void tellsAMemberThatIsNullFromNone() {
    var object = ObjectValue.of("a", Value.NULL);
    assertThat(object.has("a")).isTrue();
    assertThat(object.get("a")).isEqualTo(Value.NULL);
    assertThat(object.get("b")).isNull();
  }

  @Test
  void takesTheLastOfSeveralMembersOfOneKey() {
    var object =
        ObjectValue.builder()
            .put("a", Value.of(1))
            .put("a", Value.of(2))
            .put("0", Value.of(3))
            .build();
    assertThat(object).hasToString("{\"0\":3,\"a\":2}");
  }

  @Test
  void survivesGrowingAndShrinkingInOrder() {
    var object = ObjectValue.empty();
    for (int i = 0; i < 5000; i++) {
      object = object.plus("k%05d".formatted(i), Value.of(i));
    }
    assertThat(object.size()).isEqualTo(5000);
    for (int i = 0; i < 4990; i++) {
      object = object.minus("k%05d".formatted(i));
    }
    assertThat(object.asMap().keySet()).startsWith("k04990").hasSize(10);
  }
}
