package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.state.value.Value;
import dev.superstep.state.value.ValueText;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UncheckedValueTests {
  private final Violations violations = new Violations();

  private UncheckedValue read(String json) {
    return new UncheckedValue(
        ValueText.read(json),
        violations.root(),
        (wanted, found) -> "must be %s, not %s".formatted(wanted, found.typeName()));
  }

  @Test
  void reportsEveryMemberOfAnotherTypeAtItsLocation() {
    var object = read("{\"a/b\": 1, \"list\": [\"x\", null, 2], \"object\": \"y\"}");

    assertThat(object.key("a/b").text()).isEmpty();
    assertThat(object.key("list").texts()).containsExactly("x");
    assertThat(object.key("object").objectOrEmpty().isEmpty()).isTrue();
    object.refuseOthers(Set.of("list", "object"), "%s is unknown"::formatted);

    assertThat(violations.errors())
        .extracting(Violation::pointer, Violation::code, Violation::message)
        .containsExactly(
            tuple("/a~1b", "wrong_type", "must be a string, not integer"),
            tuple("/list/1", "wrong_type", "must be a string, not null"),
            tuple("/list/2", "wrong_type", "must be a string, not integer"),
            tuple("/object", "wrong_type", "must be an object, not string"),
            tuple("/a~1b", "unknown_field", "a/b is unknown"));
  }

  @Test
  void takesNullForAbsent() {
    var object = read("{\"text\": null, \"list\": null}");

    assertThat(object.key("text").text()).isEmpty();
    assertThat(object.key("list").items()).isEmpty();
    assertThat(object.key("none").find()).isEmpty();
    assertThat(object.key("none").key("below").isAbsent()).isTrue();
    assertThat(violations.all()).isEmpty();
  }

  @Test
  void collectsOnlySoManyOfEachKind() {
    var bounded = new Violations(Value.NULL, 2);
    for (int i = 0; i < 3; i++) {
      bounded.root().item(i).error("wrong", "is wrong");
      bounded.root().item(i).warn("odd", "is odd");
    }

    assertThat(bounded.errors()).extracting(Violation::pointer).containsExactly("/0", "/1");
    assertThat(bounded.warnings()).extracting(Violation::pointer).containsExactly("/0", "/1");
    assertThat(bounded.all())
        .extracting(Violation::code)
        .containsExactly("wrong", "odd", "wrong", "odd");
  }

  /// The author may have written a list of one as its only item.
  @Test
  void pointsAtWhatWasWritten() {
    var written = new Violations(ValueText.read("{\"to\": \"a\", \"from\": [\"a\"]}"), 9).root();

    assertThat(written.key("to").name(0).pointer()).isEqualTo("/to");
    assertThat(written.key("from").name(0).pointer()).isEqualTo("/from/0");
  }
}
