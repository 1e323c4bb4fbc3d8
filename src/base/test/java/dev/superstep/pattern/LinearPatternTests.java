package dev.superstep.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.re2j.Pattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearPatternTests {
  private static final List<String> ATOMS =
      List.of(
          "a",
          "é",
          ".",
          "^",
          "\\d",
          "\\pL",
          "\\p{Greek}",
          "\\x{41}",
          "\\x41",
          "[a-z]",
          "[]x]",
          "[^]a-c]",
          "[[:alpha:]_]",
          "[\\]\\d]",
          "\\Qa{9}\\E",
          "(?:ab)",
          "(?P<n>x)",
          "(a|b|cd)",
          "a{",
          "\\{",
          "[{]",
          "(?i)",
          "-",
          "}");
  private static final List<String> REPEATS =
      List.of("", "", "", "*", "+?", "?", "{3}", "{0,4}", "{2,}", "{0}", "{1,2}?");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a{1000}){1000}",
        "((((a{100}){100}){100}){100}){100}",
        "(a{0,1000}){0,1000}",
        "(\\Qabc\\E{900}){900}",
        "([]]{1000}[]]{1000})*",
        "(?i)(?:[[:alpha:]]{999}){999}",
        "a{1000}b{1000}"
      })
  void measuresBeforeItCompiles(String bomb) {
    assertThatThrownBy(() -> LinearPattern.compile(bomb, 1_000))
        .isInstanceOf(PatternException.class)
        .hasMessageContaining("too large");
  }

  @Test
  void refusesThirtyThousandRepetitionsAtOnce() {
    var bomb = "a{1000}".repeat(30_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () ->
            assertThatThrownBy(() -> LinearPattern.compile(bomb, 1_000))
                .isInstanceOf(PatternException.class));
  }

  /// Its program has a few positions only, but its text is kept, and read character by character.
  @Test
  void refusesALongTextOfFewPositions() {
    assertThat(LinearPattern.compile("[" + "a".repeat(998) + "]", 125).positions()).isLessThan(125);
    assertThatThrownBy(() -> LinearPattern.compile("[" + "a".repeat(999) + "]", 125))
        .isInstanceOf(PatternException.class)
        .hasMessageContaining("too large");
  }

  @Test
  void neverMeasuresLessThanTheCompilerMakes() {
    long seed = new Random().nextLong();
    System.out.println("LinearPatternTests seed " + seed);
    var random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      var regex = regex(random, 3);
      try {
        var made = Pattern.compile(regex).programSize();
        assertThat(PatternSize.of(regex).positions()).as(regex).isGreaterThanOrEqualTo(made);
      } catch (com.google.re2j.PatternSyntaxException _) {
        // no pattern at all
      }
    }
  }

  private static String regex(Random random, int depth) {
    var parts = new ArrayList<String>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      var atom =
          depth > 0 && random.nextInt(3) == 0
              ? "(" + regex(random, depth - 1) + ")"
              : ATOMS.get(random.nextInt(ATOMS.size()));
      parts.add(atom + REPEATS.get(random.nextInt(REPEATS.size())));
    }
    return String.join(random.nextInt(4) == 0 ? "|" : "", parts);
  }

  /// RE2J 1.8 does not come back from some characters behind `(?i)`.
  @Test
  void comesBackFromEveryCharacterOfEveryCase() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int c = 0x100; c < 0x1f000; c++) {
            compileFolded(c);
          }
        });
    assertThatThrownBy(() -> LinearPattern.compile("(?i)[a-\\x{2000}]", 1_000))
        .hasMessageContaining("U+1C80");
    assertThatThrownBy(() -> LinearPattern.compile("(?i)\\Q\u1c81\\E", 1_000))
        .hasMessageContaining("U+1C80");
  }

  private static void compileFolded(int c) {
    if (Character.isSurrogate((char) c) && c < 0x10000) {
      return;
    }
    try {
      PatternSize.of("(?i)" + Character.toString(c));
      Pattern.compile("(?i)" + Character.toString(c));
    } catch (PatternException _) {
      assertThat(c).isBetween(0x1c80, 0x1c88);
    }
  }

  @Test
  void boundsClassesOfUnicode() {
    assertThatThrownBy(() -> LinearPattern.compile("[" + "\\pL\\PN".repeat(40) + "]", 1_000))
        .hasMessageContaining("too many classes");
    assertThatThrownBy(() -> LinearPattern.compile("(?i)[\\x{1c90}-\\x{10ffff}]", 1_000))
        .hasMessageContaining("too many classes");
  }

  @Test
  void costsMoreTheLargerItIs() {
    var small = LinearPattern.compile("abc", 1_000);
    var large = LinearPattern.compile("a{500}", 1_000);
    var classes = LinearPattern.compile("\\pL{500}", 1_000);
    assertThat(large.cost(1_000)).isGreaterThan(50 * small.cost(1_000));
    assertThat(classes.cost(1_000)).isGreaterThan(large.cost(1_000));
    assertThat(classes.compileCost()).isGreaterThan(large.compileCost());
  }

  @Test
  void asksDuringASearchWhetherToGoOn() {
    var pauses = new int[1];
    var pattern = LinearPattern.compile("b", 1_000);
    assertThat(pattern.find("é".repeat(100_000) + "b", () -> pauses[0]++)).isTrue();
    assertThat(pauses[0]).isGreaterThan(10);
  }

  @Test
  void saysWhatIsNoPattern() {
    assertThatThrownBy(() -> LinearPattern.compile("a(?=b)", 1_000))
        .hasMessageContaining("'a(?=b)' is no regular expression (RE2)");
  }
}
