package dev.superstep.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GlobTests {

  /// P4
  @Test
  void matchesKeysBelowAPrefixAndNothingElse() {
    var glob = Glob.of("llm.*");
    assertThat(glob.matches("llm.model")).isTrue();
    assertThat(glob.matches("llm.a.b")).isTrue();
    assertThat(glob.matches("llm.")).isTrue();
    assertThat(glob.matches("llm")).isFalse();
    assertThat(glob.matches("llmx")).isFalse();
    assertThat(glob.matches("LLM.model")).isFalse();
  }

  /// P4: `?` is one character, also one beyond the basic plane.
  @Test
  void takesAQuestionMarkForOneCharacter() {
    assertThat(Glob.of("a?c").matches("abc")).isTrue();
    assertThat(Glob.of("a?c").matches("a😀c")).isTrue();
    assertThat(Glob.of("a?c").matches("ac")).isFalse();
    assertThat(Glob.of("a?c").matches("abbc")).isFalse();
  }

  /// P4: everything else is literal, signs of regular expressions too.
  @Test
  void takesAllOtherCharactersLiterally() {
    assertThat(Glob.of("a.b+[x](y)\\d$").matches("a.b+[x](y)\\d$")).isTrue();
    assertThat(Glob.of("a.b").matches("axb")).isFalse();
    assertThat(Glob.of("a[bc]").matches("ab")).isFalse();
  }

  /// P4
  @Test
  void refusesABlankPattern() {
    assertThatThrownBy(() -> Glob.of("  ")).hasMessageContaining("blank");
    assertThatThrownBy(() -> Glob.of("x".repeat(257))).hasMessageContaining("256");
  }

  /// P4: the same as a regular expression says, on random patterns and keys.
  @Test
  void agreesWithRegularExpressions() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      var pattern = text(random, "ab.*?*", 1 + random.nextInt(7));
      var key = text(random, "ab.", random.nextInt(9));
      var regex =
          pattern
              .chars()
              .mapToObj(
                  it -> it == '*' ? ".*" : it == '?' ? "." : Pattern.quote(Character.toString(it)))
              .collect(Collectors.joining());
      assertThat(Glob.of(pattern).matches(key))
          .as("seed %d: %s on %s", seed, pattern, key)
          .isEqualTo(Pattern.matches(regex, key));
    }
  }

  private static String text(Random random, String alphabet, int length) {
    return random
        .ints(length, 0, alphabet.length())
        .mapToObj(it -> alphabet.substring(it, it + 1))
        .collect(Collectors.joining());
  }

  /// P4: no pattern makes matching explode.
  @Test
  @Timeout(5)
  void matchesInLinearTime() {
    var glob = Glob.of("*a".repeat(127) + "b");
    var key = "a".repeat(100_000);
    assertThat(glob.matches(key)).isFalse();
  }

  /// P6: the star of the pattern is carried over.
  @Test
  void carriesWhatStarsMatchedIntoANewKey() {
    assertThat(Glob.of("a.*").rename("a.b.c", "to.*")).contains("to.b.c");
    assertThat(Glob.of("*.in.*").rename("x.in.y", "*/*")).contains("x/y");
    assertThat(Glob.of("a?c").rename("abc", "x")).contains("x");
    assertThat(Glob.of("a.*").rename("b.c", "to.*")).isEmpty();
  }
}
