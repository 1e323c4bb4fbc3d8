package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentifiersTests {
  @ParameterizedTest
  @CsvSource({
    "a, true, true",
    "Z9, true, true",
    "_a, true, false",
    "a_b, true, true",
    "a-b, false, true",
    "9a, false, false",
    "-a, false, false",
    "'', false, false",
    "é, false, false",
    "aé, false, false",
    "a b, false, false",
    "a٣, false, false"
  })
  void saysWhatIsAName(String text, boolean name, boolean node) {
    assertThat(Identifiers.isName(text)).isEqualTo(name);
    assertThat(Identifiers.isNode(text)).isEqualTo(node);
  }

  @ParameterizedTest
  @CsvSource({"64, true", "65, false"})
  void holdsForSixtyFourCharacters(int length, boolean valid) {
    assertThat(Identifiers.isName("a".repeat(length))).isEqualTo(valid);
    assertThat(Identifiers.isNode("a".repeat(length))).isEqualTo(valid);
  }
}
