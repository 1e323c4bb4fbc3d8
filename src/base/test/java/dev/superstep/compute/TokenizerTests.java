package dev.superstep.compute;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.TokenCounter;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// S0-8: tokens are counted by a tokenizer, not by bytes.
class TokenizerTests {
  private final Tokenizer tokenizer = Tokenizer.usual();

  @ParameterizedTest
  @CsvSource({
    "gpt-4o, o200k_base",
    "gpt-4o-2024-08-06, o200k_base",
    "openai/gpt-4o-mini, o200k_base",
    "gpt-4.1, o200k_base",
    "gpt-5, o200k_base",
    "gpt-4, cl100k_base",
    "gpt-4-0613, cl100k_base",
    "gpt-3.5-turbo-0125, cl100k_base",
    "cl100k_base, cl100k_base",
    "claude-sonnet, o200k_base",
    "'', o200k_base"
  })
  void knowsWhoseTokensToCount(String model, String encoding) {
    assertThat(Tokenizer.forModel(model).name()).isEqualTo(encoding);
    assertThat(Tokenizer.forModel(model)).isSameAs(Tokenizer.forModel(encoding));
  }

  /// Known counts of the published encodings.
  @Test
  void countsAsTheModelsDo() {
    assertThat(Tokenizer.forModel("gpt-4").count("hello world")).isEqualTo(2);
    assertThat(tokenizer.count("tiktoken is great!")).isEqualTo(6);
    assertThat(tokenizer.count("")).isZero();
    assertThat(tokenizer.count("<|endoftext|>")).isGreaterThan(1);
  }

  @Test
  void countsWhatAMessageSays() {
    long hello = tokenizer.count("hello world");
    assertThat(tokens("{'role': 'user', 'content': 'hello world', 'id': 'm-0123456789abcdef'}"))
        .isEqualTo(4 + hello);
    assertThat(tokens("{'role': 'user', 'content': [{'type': 'text', 'text': 'hello world'}]}"))
        .isEqualTo(4 + hello);
    assertThat(
            tokens(
                "{'role': 'assistant', 'tool_calls': [{'id': 'c', 'name': 'f', 'arguments': {'a':"
                    + " 1}}]}"))
        .isEqualTo(4 + tokenizer.count("f") + tokenizer.count("{\"a\":1}"));
  }

  /// Counted in pieces, a text has as many tokens as in one.
  @ParameterizedTest
  @ValueSource(strings = {"o200k_base", "cl100k_base", "r50k_base", "p50k_base"})
  void countsLongTextsExactly(String encoding) {
    long seed = new Random().nextLong();
    System.out.println("TokenizerTests seed " + seed);
    var random = new Random(seed);
    var words =
        List.of(
            "It's",
            " ",
            "  ",
            "\n",
            "\n\n",
            "I'LL",
            "word",
            "Wörter",
            "語彙",
            "12345",
            "!?",
            ", ",
            "\t",
            "a/b",
            "😀",
            "don't\r\n",
            "\u0301",
            "{\"a\": 1.5}",
            "x ",
            " y",
            "\u00a0");
    var text = new StringBuilder();
    while (text.length() < 40_000) {
      text.append(words.get(random.nextInt(words.size())));
    }
    var type = EncodingType.fromName(encoding).orElseThrow();
    var whole = Encodings.newLazyEncodingRegistry().getEncoding(type);
    assertThat(Tokenizer.forModel(encoding).count(text.toString()))
        .isEqualTo(whole.countTokensOrdinary(text.toString()));
  }

  @Test
  void takesPausesWithinALongText() {
    var pauses = new AtomicInteger();
    tokenizer.count("a".repeat(100_000), pauses::incrementAndGet);
    tokenizer.count("hello world ".repeat(10_000), pauses::incrementAndGet);
    assertThat(pauses).hasValueGreaterThan(40);
  }

  /// The bytes of a picture say little about what it costs.
  @Test
  void boundsWhatAPartThatIsNoTextCounts() {
    var data = "iVBORw0KGgo".repeat(10_000);
    assertThat(tokens("{'role': 'user', 'content': [{'type': 'image', 'data': '" + data + "'}]}"))
        .isEqualTo(4 + 1_000);
  }

  @Test
  void countsItemsThatAreNoMessagesAsJson() {
    assertThat(tokenizer.count(Json.read("[1, 2]"))).isEqualTo(tokenizer.count("[1,2]"));
    assertThat(tokenizer.count(Value.of("hello world"))).isEqualTo(2);
  }

  /// Counting is linear in what is new: each item is counted once, whatever grows from a list.
  @Test
  void countsEachItemOnce() {
    var counted = new AtomicInteger();
    TokenCounter counter =
        _ -> {
          counted.incrementAndGet();
          return 1;
        };
    var list = ListValue.empty();
    for (int i = 0; i < 1_000; i++) {
      list = list.plus(Value.of(i));
      assertThat(list.tokens(counter)).isEqualTo(i + 1);
    }
    assertThat(counted).hasValue(1_000);
    assertThat(list.with(5, Value.of("x")).tokens(counter)).isEqualTo(1_000);
    assertThat(counted).hasValue(1_002);
    assertThat(list.tokens(_ -> 3)).isEqualTo(3_000);
  }

  private long tokens(String json) {
    return tokenizer.count(Json.read(json.replace('\'', '"')));
  }
}
