package dev.superstep.state;

import static dev.superstep.state.StateFixtures.appendOnly;
import static dev.superstep.state.StateFixtures.change;
import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.message;
import static dev.superstep.state.StateFixtures.messages;
import static dev.superstep.state.StateFixtures.mirrored;
import static dev.superstep.state.StateFixtures.overwrite;
import static dev.superstep.state.StateFixtures.remove;
import static dev.superstep.state.StateFixtures.removeMessages;
import static dev.superstep.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageChannelTests {
  private static final ObjectValue M1 = message("1", "one");
  private static final ObjectValue M2 = message("2", "two");
  private static final ObjectValue M3 = message("3", "three");
  private static final ObjectValue M2_NEW = message("2", "two, corrected");
  private static final ObjectValue SUMMARY =
      message("s", "all so far")
          .plus("metadata", ObjectValue.of("summary", Value.TRUE).plus("covers", Value.of(2)));
  private static final Channels PLAIN = channels(channel("messages", new Reducer.Messages()));
  private static final Channels MIRRORED =
      channels(mirrored("messages", "full_messages"), appendOnly("full_messages"));

  /// E16: block append with upsert by id, in place.
  @Test
  void replacesAMessageOfTheSameIdWhereItStands() {
    var fold = Fold.over(PLAIN, state("messages", messages(M1, M2)));
    assertThat(fold.apply(List.of(change("messages", messages(M2_NEW, M3))))).isEmpty();
    assertThat(fold.state().get("messages")).isEqualTo(messages(M1, M2_NEW, M3));
  }

  /// E16: also within one block, and over what a sibling has just added.
  @Test
  void replacesWhatCameInTheSameSuperstep() {
    var fold = Fold.over(PLAIN, GraphState.empty());
    assertThat(fold.apply(List.of(change("messages", messages(M2, M1, M2_NEW))))).isEmpty();
    assertThat(fold.apply(List.of(change("messages", messages(M1, M3))))).isEmpty();
    assertThat(fold.state().get("messages")).isEqualTo(messages(M2_NEW, M1, M3));
  }

  /// E4: `remove_messages`; what a sibling has removed already may be removed again.
  @Test
  void removesMessagesById() {
    var fold = Fold.over(PLAIN, state("messages", messages(M1, M2, M3)));
    assertThat(fold.apply(List.of(removeMessages("2")))).isEmpty();
    assertThat(fold.apply(List.of(removeMessages("1", "2")))).isEmpty();
    assertThat(fold.apply(List.of(change("messages", messages(M2_NEW))))).isEmpty();
    assertThat(fold.state().get("messages")).isEqualTo(messages(M3, M2_NEW));
    var next = Fold.over(PLAIN, fold.state());
    assertThat(next.apply(List.of(change("messages", messages(M3, M1))))).isEmpty();
    assertThat(next.state().get("messages")).isEqualTo(messages(M3, M2_NEW, M1));
  }

  /// E4: also if it came in the same superstep.
  @Test
  void removesAMessageTwiceThatASiblingHasAdded() {
    var fold = Fold.over(PLAIN, state("messages", messages(M1)));
    assertThat(fold.apply(List.of(change("messages", messages(M2))))).isEmpty();
    assertThat(fold.apply(List.of(removeMessages("2")))).isEmpty();
    assertThat(fold.apply(List.of(removeMessages("2")))).isEmpty();
    assertThat(fold.state().get("messages")).isEqualTo(messages(M1));
  }

  @Test
  void failsToRemoveAMessageThatNeverWasThere() {
    var fold = Fold.over(PLAIN, state("messages", messages(M1)));
    var problem = fold.apply(List.of(removeMessages("1", "9")));
    assertThat(problem).get().extracting(Fold.Problem::code).isEqualTo("reducer_failed");
    assertThat(problem).get().extracting(Fold.Problem::message).asString().contains("'9'");
    assertThat(fold.state().get("messages")).isEqualTo(messages(M1));
    assertThat(Fold.over(Channels.none(), GraphState.empty()).apply(List.of(removeMessages("1"))))
        .isPresent();
  }

  /// E21: items new by id and changed ones are kept, as new entries; those that say nothing new are
  /// not. S0-4.
  @Test
  void mirrorsWhatIsNew() {
    var start = Fold.over(MIRRORED, GraphState.empty());
    assertThat(start.apply(List.of(change("messages", messages(M1, M2))))).isEmpty();
    var fold = Fold.over(MIRRORED, start.state());
    assertThat(fold.apply(List.of(change("messages", messages(M1, M2_NEW))))).isEmpty();
    assertThat(fold.apply(List.of(change("messages", messages(M3))))).isEmpty();
    assertThat(fold.state().get("messages")).isEqualTo(messages(M1, M2_NEW, M3));
    assertThat(fold.state().get("full_messages")).isEqualTo(messages(M1, M2, M2_NEW, M3));
    assertThat(fold.touched()).containsExactly("messages", "full_messages");
  }

  /// E21, S0-9, S0-10, S0-11: a compacted conversation is complete in its mirror; neither summary
  /// nor removal shows there.
  @Test
  void keepsTheMirrorCompleteWhenMessagesAreCompacted() {
    var start = Fold.over(MIRRORED, GraphState.empty());
    assertThat(start.apply(List.of(change("messages", messages(M1, M2, M3))))).isEmpty();
    var fold = Fold.over(MIRRORED, start.state());
    assertThat(fold.apply(List.of(overwrite("messages", messages(SUMMARY, M3))))).isEmpty();
    assertThat(fold.apply(List.of(removeMessages("3")))).isEmpty();
    assertThat(fold.state().get("messages")).isEqualTo(messages(SUMMARY));
    assertThat(fold.state().get("full_messages")).isEqualTo(messages(M1, M2, M3));
  }

  /// E21: what an overwrite brings in anew is kept.
  @Test
  void mirrorsOverwrittenContents() {
    var start = Fold.over(MIRRORED, GraphState.empty());
    assertThat(start.apply(List.of(change("messages", messages(M1, M2))))).isEmpty();
    assertThat(start.apply(List.of(overwrite("messages", messages(M2_NEW, M3, M1))))).isEmpty();
    assertThat(start.state().get("full_messages")).isEqualTo(messages(M1, M2, M2_NEW, M3));
  }

  /// E21: the mirror of a change that fails fails with it.
  @Test
  void undoesTheMirrorToo() {
    var fold = Fold.over(MIRRORED, GraphState.empty());
    assertThat(fold.apply(List.of(change("messages", messages(M1))))).isEmpty();
    assertThat(
            fold.apply(
                List.of(change("messages", messages(M2)), change("messages", Value.of("no")))))
        .isPresent();
    assertThat(fold.state().get("full_messages")).isEqualTo(messages(M1));
    assertThat(fold.state().get("messages")).isEqualTo(messages(M1));
  }

  /// E21
  @Test
  void refusesToWriteTheMirrorOrToShrinkWhatOnlyGrows() {
    var frozen = state("full_messages", messages(M1)).with("log", messages(M1));
    assertThat(code(frozen, change("full_messages", messages(M2)))).contains("mirror_target");
    assertThat(code(frozen, remove("full_messages"))).contains("mirror_target");
    assertThat(code(frozen, overwrite("log", messages()))).contains("append_only");
    assertThat(code(frozen, remove("log"))).contains("append_only");
    assertThat(code(frozen, change("log", messages(M2)))).isEmpty();
  }

  private static Optional<String> code(GraphState frozen, Change change) {
    var channels =
        channels(
            mirrored("messages", "full_messages"), appendOnly("full_messages"), appendOnly("log"));
    return Fold.over(channels, frozen).apply(List.of(change)).map(Fold.Problem::code);
  }

  /// E21: `remove_messages` on an append-only channel.
  @Test
  void refusesToTakeMessagesOutOfAnAppendOnlyChannel() {
    var channel =
        new Channel(
            "messages",
            new Reducer.Messages(),
            Optional.empty(),
            true,
            Optional.empty(),
            Channel.OnConflict.LAST,
            ValueCheck.NONE);
    assertThat(
            Fold.over(channels(channel), state("messages", messages(M1)))
                .apply(List.of(removeMessages("1"))))
        .get()
        .extracting(Fold.Problem::code)
        .isEqualTo("append_only");
  }

  /// E20: with a pointer to what is wrong.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          role         | sender | /1/role
          content      | 7      | /1/content
          id           | 7      | /1/id
          tool_calls   | 7      | /1/tool_calls
          tool_call_id | 7      | /1/tool_call_id
          metadata     | 7      | /1/metadata
          """)
  void saysWhereAMessageIsWrong(String key, String wrong, String pointer) {
    var value = wrong.equals("7") ? Value.of(7) : Value.of(wrong);
    var block = messages(M1, M2.plus(key, value));
    var problem = Fold.over(PLAIN, GraphState.empty()).apply(List.of(change("messages", block)));
    assertThat(problem).get().extracting(Fold.Problem::code).isEqualTo("reducer_failed");
    assertThat(problem).get().extracting(Fold.Problem::pointer).isEqualTo(pointer);
  }

  /// definitions.md, *Messages*: these keys and no others; parts are objects.
  @Test
  void refusesKeysAndPartsThatNoMessageHas() {
    assertThat(problemOf(M1.plus("a/b", Value.of(1)))).contains("/0/a~1b");
    var parts = ListValue.of(ObjectValue.of("type", Value.of("text")), Value.of(1));
    assertThat(problemOf(M1.plus("content", parts))).contains("/0/content/1");
    assertThat(problemOf(M1.plus("content", ListValue.of(parts.get(0))))).isEmpty();
  }

  @Test
  void acceptsToolCallsWithoutContent() {
    var call = ObjectValue.of("id", Value.of("c")).plus("name", Value.of("search"));
    var asking = M1.minus("content").plus("tool_calls", ListValue.of(call));
    assertThat(problemOf(asking)).isEmpty();
    assertThat(problemOf(M1.minus("content"))).contains("/0/content");
    assertThat(problemOf(asking.plus("tool_calls", ListValue.of(call.minus("name")))))
        .contains("/0/tool_calls/0/name");
  }

  private static Optional<String> problemOf(ObjectValue message) {
    return Fold.over(PLAIN, GraphState.empty())
        .apply(List.of(change("messages", messages(message))))
        .map(Fold.Problem::pointer);
  }

  @Test
  void refusesOneIdTwiceInAnOverwrite() {
    var problem =
        Fold.over(PLAIN, GraphState.empty())
            .apply(List.of(overwrite("messages", messages(M1, M2, M1))));
    assertThat(problem).get().extracting(Fold.Problem::pointer).isEqualTo("/2/id");
  }
}
