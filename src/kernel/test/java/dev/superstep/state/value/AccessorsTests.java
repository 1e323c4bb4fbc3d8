package dev.superstep.state.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.state.GraphState;
import org.junit.jupiter.api.Test;

class AccessorsTests {
  private static final GraphState STATE =
      GraphState.of(
          (ObjectValue)
              ValueText.read(
                  """
                  {"name": "Ada", "age": 36, "score": 0.5, "well": true, "none": null,
                   "tags": ["a"], "home": {"town": "London"}}\
                  """));

  @Test
  void giveJavaTypes() {
    assertThat(STATE.text("name")).isEqualTo("Ada");
    assertThat(STATE.whole("age")).isEqualTo(36);
    assertThat(STATE.decimal("score")).isEqualTo(0.5);
    assertThat(STATE.decimal("age")).isEqualTo(36);
    assertThat(STATE.flag("well")).isTrue();
    assertThat(STATE.list("tags")).containsExactly(Value.of("a"));
    assertThat(STATE.object("home").text("town")).isEqualTo("London");
  }

  @Test
  void giveDefaultsForWhatIsAbsentOrNull() {
    for (var name : new String[] {"none", "missing"}) {
      assertThat(STATE.text(name, "x")).isEqualTo("x");
      assertThat(STATE.whole(name, 1)).isEqualTo(1);
      assertThat(STATE.decimal(name, 1.5)).isEqualTo(1.5);
      assertThat(STATE.flag(name, true)).isTrue();
      assertThat(STATE.list(name)).isEmpty();
      assertThat(STATE.object(name).isEmpty()).isTrue();
    }
    assertThat(STATE.text("name", "x")).isEqualTo("Ada");
  }

  @Test
  void sayWhatIsWrong() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> STATE.text("missing"))
        .withMessage("there is no 'missing'; it should be a text");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> STATE.text("age", "x"))
        .withMessageContaining("'age' should be a text, and is of type");
    assertThatIllegalArgumentException().isThrownBy(() -> STATE.whole("score"));
    assertThatIllegalArgumentException().isThrownBy(() -> STATE.whole("none"));
    assertThatIllegalArgumentException().isThrownBy(() -> STATE.list("home"));
    assertThatIllegalArgumentException().isThrownBy(() -> STATE.object("tags"));
    assertThatIllegalArgumentException().isThrownBy(() -> STATE.flag("name"));
  }

  @Test
  void takesOtherTypesForAbsentWhereItFinds() {
    var mixed = ListValue.of(Value.of("a"), Value.of(1), ObjectValue.of("k", Value.NULL));
    var object = ObjectValue.of("list", mixed).plus("text", Value.of("t")).plus("no", Value.FALSE);

    assertThat(object.findText("text")).contains("t");
    assertThat(object.findText("list")).isEmpty();
    assertThat(object.textOrEmpty("no")).isEmpty();
    assertThat(object.isText("text", "t")).isTrue();
    assertThat(object.isTrue("no")).isFalse();
    assertThat(object.isTrue("text")).isFalse();
    assertThat(object.findInt("text")).isEmpty();
    assertThat(object.findObject("list")).isEmpty();
    assertThat(object.objectOrEmpty("list").isEmpty()).isTrue();
    assertThat(object.listOrEmpty("absent").isEmpty()).isTrue();
    assertThat(object.texts("list")).containsExactly("a");
    assertThat(object.objects("list")).containsExactly(ObjectValue.of("k", Value.NULL));
  }
}
