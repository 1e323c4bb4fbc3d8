package dev.superstep.definition.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.superstep.compute.Tokenizer;
import dev.superstep.definition.MalformedDefinitions;
import dev.superstep.definition.TestNodeTypes;
import dev.superstep.engine.Compaction;
import dev.superstep.graph.Violation;
import dev.superstep.json.Json;
import dev.superstep.json.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The `compaction` of a channel; what can be wrong with it is in `malformed.txt`.
class CompactionReaderTests {

  @Test
  void readsWhenAndHow() {
    var compaction =
        compaction(
            "{when: {tokens_over: 4000, messages_over: 50}, keep_last: 12, summarizer: {type:"
                + " drop}}");

    assertThat(compaction.when().messages()).contains(50);
    assertThat(compaction.when().tokens()).contains(4_000L);
    assertThat(compaction.compactor().channel()).isEqualTo("c");
    assertThat(compaction.compactor().keepLast()).isEqualTo(12);
  }

  /// The model whose tokens are counted: said, or the summarizer's, or the usual one.
  @Test
  void countsTheTokensOfTheModel() {
    assertThat(counter("{when: {tokens_over: 9, model: gpt-4}, summarizer: {type: drop}}"))
        .isEqualTo("cl100k_base");
    assertThat(counter("{when: {tokens_over: 9}, summarizer: {type: llm, model: gpt-4}}"))
        .isEqualTo("cl100k_base");
    assertThat(counter("{when: {tokens_over: 9}, summarizer: {type: drop}}"))
        .isEqualTo("o200k_base");
  }

  private static String counter(String compaction) {
    return compaction(compaction).when().counter() instanceof Tokenizer tokenizer
        ? tokenizer.name()
        : "";
  }

  @Test
  void keepsTenMessagesUnlessToldOtherwise() {
    assertThat(
            compaction("{when: {tokens_over: 9}, summarizer: {type: drop}}").compactor().keepLast())
        .isEqualTo(10);
  }

  /// A summarizer of the language that this server lacks: accepted, said, and failing when asked.
  @Test
  void warnsOfASummarizerThatIsNotThere() {
    var readResult = read("{when: {tokens_over: 9}, summarizer: {type: llm, model: m}}");

    assertThat(readResult.errors()).isEmpty();
    assertThat(readResult.warnings())
        .extracting(Violation::code, Violation::pointer)
        .contains(tuple("summarizer_unavailable", "/channels/c/compaction/summarizer/type"));
  }

  @Test
  void warnsOfAModelWhoseTokensNobodyCounts() {
    var readResult = read("{when: {messages_over: 20, model: gpt-4}, summarizer: {type: drop}}");

    assertThat(readResult.warnings()).extracting(Violation::code).contains("no_effect");
  }

  /// Lists that keep the order of what came can be compacted; E16.
  @Test
  void takesEveryListInOrder() {
    for (var reducer : List.of("messages", "append", "block_append")) {
      var text =
          "reducer: %s\n    compaction: {when: {messages_over: 20}, summarizer: {type: drop}}"
              .formatted(reducer);
      assertThat(read(TestNodeTypes.READER, MalformedDefinitions.channel(text)).errors())
          .as(reducer)
          .isEmpty();
    }
  }

  @Test
  void staysAsItIsInTheLongForm() {
    var once = read("{when: {messages_over: 20}, summarizer: {type: drop}}").definition();
    assertThat(TestNodeTypes.READER.read(once).definition()).isEqualTo(once);
    assertThat(Json.write(once)).contains("\"messages_over\":20");
  }

  private static Compaction compaction(String text) {
    return read(text)
        .graphPlan()
        .map(it -> it.program().compactions())
        .filter(it -> it.size() == 1)
        .map(List::getFirst)
        .orElseThrow();
  }

  private static ReadResult read(String compaction) {
    return read(
        TestNodeTypes.READER,
        MalformedDefinitions.channel("reducer: messages\n    compaction: " + compaction));
  }

  private static ReadResult read(DefinitionReader reader, String yaml) {
    return reader.read(Yaml.read(yaml));
  }
}
