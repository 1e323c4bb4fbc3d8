package dev.superstep.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MentionsTests {
  private static final Expressions EXPRESSIONS = new Expressions();

  private static String told(List<Mention> mentions) {
    return mentions.stream()
        .map(it -> it.kind().name().toLowerCase(java.util.Locale.ROOT) + " " + it.name())
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      value = {
        "state.a == 'b' ? 'c' : ['d', 'e'][0] # given_node c",
        "['a', dispatch('b', {'x': 'c'})] # dispatch b, given_node a, given_dispatch b",
        "fan_out('a', state.l.map(x, {'node': 'no'})) # dispatch a, given_dispatch a",
        "state.l.filter(x, x != 'a').map(x, {'node': 'b', 'input': {'n': x}}) # given_dispatch b",
        "[{'node': 'a', 'colour': 1}] # ~~",
        "'a' + 'b' # ~~",
        "['a'] + ['b'] # given_node a, given_node b",
        "state.?a.orValue('b') # given_node b",
        "dispatch(state.a ? 'b' : state.c ? 'd' : state.e, {'x': 'f'}) # dispatch b, dispatch d,"
            + " given_dispatch b, given_dispatch d",
        "fan_out(state.a ? 'b' : 'c', state.l) # dispatch b, dispatch c, given_dispatch b,"
            + " given_dispatch c",
        "[{'node': state.a ? 'b' : 'c'}] # given_dispatch b, given_dispatch c",
        "state.a + # ~~"
      })
  void findsWhatAnExpressionNamesOutright(String source, String expected) {
    assertThat(told(EXPRESSIONS.mentions(source))).isEqualTo(expected);
  }

  /// What a segment gives is a part of the text, unless it is the whole of it.
  @Test
  void findsWhatTheSegmentsOfATemplateName() {
    var found = EXPRESSIONS.mentionsInTemplate("x 😀\n {{ dispatch('a') }} {{ dispatch('c') }}");

    assertThat(found)
        .containsExactly(
            new Mention(Mention.MentionKind.DISPATCH, "a", 2, 14),
            new Mention(Mention.MentionKind.DISPATCH, "c", 2, 34));
    assertThat(told(EXPRESSIONS.mentionsInTemplate("{{ 'b' }}"))).isEqualTo("given_node b");
    assertThat(EXPRESSIONS.mentionsInTemplate("{{ dispatch('a')")).isEmpty();
  }

  /// As many segments as a definition may hold are read in one pass.
  @Test
  void readsManySegmentsInOnePass() {
    var text = "{{ 1 }}\n".repeat(2_000) + "{{ dispatch('a') }}";

    assertThat(EXPRESSIONS.mentionsInTemplate(text))
        .containsExactly(new Mention(Mention.MentionKind.DISPATCH, "a", 2_001, 13));
  }
}
