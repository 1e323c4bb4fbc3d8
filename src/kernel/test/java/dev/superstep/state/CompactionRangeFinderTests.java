package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// S0-8, S0-9, C4, C21 and definitions.md, *Compaction*: which messages a summary may stand for.
class CompactionRangeFinderTests {
  private static final long SEED = Long.getLong("superstep.seed", 20_261_121L);
  private static final int ROUNDS = 2_000;

  /// S0-9: M1 … M10 with the last four kept become a summary of six and M7 … M10.
  @Test
  void keepsTheLastMessagesAndReplacesAllOthers() {
    var list = list(IntStream.rangeClosed(1, 10).mapToObj(it -> user("M" + it)).toList());

    var range = CompactionRangeFinder.of(list, 4);

    assertThat(range).contains(new CompactionRangeFinder.FoundRange(0, 6));
    var listCompaction = ListCompaction.of("messages", list, range.orElseThrow());
    var summary =
        CompactionRangeFinder.summary(
            "M1-M6", CompactionRangeFinder.covers(list, range.orElseThrow()));
    assertThat(listCompaction.with(summary).applyTo(list))
        .isEqualTo(ListValue.of(summary).plusAll(list.slice(6, 10)));
    assertThat(summary)
        .hasToString(
            """
            {"content":"M1-M6","metadata":{"covers":6,"summary":true},"role":"system"}\
            """);
  }

  @Test
  void leavesWhatIsNoMoreThanItKeeps() {
    assertThat(CompactionRangeFinder.of(list(List.of(user("a"), user("b"))), 2)).isEmpty();
    assertThat(CompactionRangeFinder.of(ListValue.empty(), 0)).isEmpty();
  }

  /// C21
  @Test
  void leavesTheSystemMessagesAtTheBeginning() {
    var list = list(List.of(system("rules"), system("more"), user("a"), user("b"), user("c")));

    assertThat(CompactionRangeFinder.of(list, 1))
        .contains(new CompactionRangeFinder.FoundRange(2, 4));
    assertThat(CompactionRangeFinder.of(list(List.of(system("rules"), user("a"))), 1)).isEmpty();
  }

  /// An earlier summary is a system message at the beginning, too, and yet it is summarised again.
  @Test
  void summarisesEarlierSummariesAgain() {
    var list =
        list(
            List.of(
                system("rules"), CompactionRangeFinder.summary("so far", 7), user("a"), user("b")));

    var range = CompactionRangeFinder.of(list, 1).orElseThrow();

    assertThat(range).isEqualTo(new CompactionRangeFinder.FoundRange(1, 3));
    assertThat(CompactionRangeFinder.covers(list, range)).isEqualTo(8);
  }

  @Test
  void makesNoSummaryOfASummaryAlone() {
    assertThat(
            CompactionRangeFinder.of(
                list(List.of(CompactionRangeFinder.summary("so far", 7), user("a"))), 1))
        .isEmpty();
  }

  /// C21
  @Test
  void movesTheCutBackBeforeAToolCall() {
    var list =
        list(List.of(user("a"), asks("1", "2"), result("1"), result("2"), user("b"), user("c")));

    assertThat(CompactionRangeFinder.of(list, 3))
        .contains(new CompactionRangeFinder.FoundRange(0, 1));
    assertThat(CompactionRangeFinder.of(list, 2))
        .contains(new CompactionRangeFinder.FoundRange(0, 4));
  }

  /// C21
  @Test
  void movesTheCutBackBeforeTheNewestUserMessage() {
    var list = list(List.of(user("a"), says("b"), user("c"), says("d"), says("e"), says("f")));

    assertThat(CompactionRangeFinder.of(list, 1))
        .contains(new CompactionRangeFinder.FoundRange(0, 2));
  }

  /// An agent that works for long on one question must be compacted, too.
  @Test
  void compactsBehindTheOnlyQuestion() {
    var list =
        list(
            List.of(
                system("rules"),
                user("the question"),
                asks("1"),
                result("1"),
                asks("2"),
                result("2"),
                asks("3"),
                result("3")));

    assertThat(CompactionRangeFinder.of(list, 2))
        .contains(new CompactionRangeFinder.FoundRange(2, 6));
  }

  /// A call that waits for its result must not vanish under it.
  @Test
  void leavesACallThatIsNotAnswered() {
    var waiting = list(List.of(user("a"), asks("1"), says("b"), says("c"), says("d")));
    assertThat(CompactionRangeFinder.of(waiting, 1)).isEmpty();
    var forgotten = list(List.of(asks("1"), user("a"), says("b"), user("c"), says("d")));
    assertThat(CompactionRangeFinder.of(forgotten, 2))
        .contains(new CompactionRangeFinder.FoundRange(0, 3));
  }

  @Test
  void takesItemsThatAreNoMessagesForWhatTheyAre() {
    var list = ListValue.texts("a", "b", "c");

    assertThat(CompactionRangeFinder.of(list, 1))
        .contains(new CompactionRangeFinder.FoundRange(0, 2));
  }

  @Test
  void fitsTheListItWasMadeOfAndWhatGrewFromIt() {
    var list = list(List.of(user("a"), user("b"), user("c")));
    var listCompaction =
        ListCompaction.of("messages", list, new CompactionRangeFinder.FoundRange(0, 2));

    assertThat(listCompaction.fits(list.plus(user("d")))).isTrue();
    assertThat(listCompaction.fits(list.with(1, user("x")))).isFalse();
    assertThat(listCompaction.fits(list.slice(0, 1))).isFalse();
  }

  /// Whatever a conversation is like: see the names of the checks.
  @Test
  void neverBreaksAConversation() {
    var random = new Random(SEED);
    System.out.println("seed of the conversations: " + SEED);
    int cuts = 0;
    for (int round = 0; round < ROUNDS; round++) {
      var list = conversation(random);
      int keepLast = random.nextInt(8);
      var range = CompactionRangeFinder.of(list, keepLast);
      if (range.isPresent()) {
        cuts++;
        var shorter = ListCompaction.of("m", list, range.get()).applyTo(list);
        var at = "round %d of seed %d: %s of %s".formatted(round, SEED, range.get(), list);
        assertThat(shorter.size()).as(at).isEqualTo(list.size() - range.get().count());
        keepsTheLast(list, shorter, keepLast, at);
        losesNoUserMessageThatIsNewest(list, shorter, at);
        keepsSystemMessagesAtTheBeginning(list, shorter, at);
        partsNoCallFromItsResult(list, shorter, at);
      }
    }
    assertThat(cuts).isGreaterThan(ROUNDS / 4);
  }

  private static void keepsTheLast(ListValue list, ListValue shorter, int keepLast, String at) {
    int kept = Math.min(keepLast, list.size());
    assertThat(shorter.slice(shorter.size() - kept, shorter.size()))
        .as(at)
        .isEqualTo(list.slice(list.size() - kept, list.size()));
  }

  private static void losesNoUserMessageThatIsNewest(ListValue list, ListValue shorter, String at) {
    assertThat(newestUser(shorter)).as(at).isEqualTo(newestUser(list));
  }

  private static Optional<Value> newestUser(ListValue list) {
    return list.stream().filter(it -> MessageShape.hasRole(it, "user")).reduce((_, later) -> later);
  }

  private static void keepsSystemMessagesAtTheBeginning(
      ListValue list, ListValue shorter, String at) {
    var leading = leading(list);
    assertThat(leading(shorter).size()).as(at).isGreaterThanOrEqualTo(leading.size());
    assertThat(shorter.slice(0, leading.size())).as(at).isEqualTo(leading);
  }

  private static ListValue leading(ListValue list) {
    int size = 0;
    while (size < list.size()
        && MessageShape.hasRole(list.get(size), "system")
        && !MessageShape.isSummary(list.get(size))) {
      size++;
    }
    return list.slice(0, size);
  }

  /// A result is there if and only if its call is.
  private static void partsNoCallFromItsResult(ListValue list, ListValue shorter, String at) {
    var calls = calls(shorter);
    var answered = results(list);
    answered.retainAll(calls(list));
    for (var id : answered) {
      assertThat(results(shorter).contains(id))
          .as(at + " call " + id)
          .isEqualTo(calls.contains(id));
    }
  }

  private static Set<String> calls(ListValue list) {
    var ids = new HashSet<String>();
    for (var item : list) {
      if (((ObjectValue) item).get("tool_calls") instanceof ListValue calls) {
        calls.forEach(it -> ids.add(id((ObjectValue) it, "id")));
      }
    }
    return ids;
  }

  private static Set<String> results(ListValue list) {
    var ids = new HashSet<String>();
    list.stream()
        .map(ObjectValue.class::cast)
        .filter(it -> it.has("tool_call_id"))
        .forEach(it -> ids.add(id(it, "tool_call_id")));
    return ids;
  }

  private static String id(ObjectValue object, String key) {
    return ((Value.Text) object.getOr(key, Value.of(""))).value();
  }

  /// Agents side by side: their calls and results are interleaved.
  private static ListValue conversation(Random random) {
    var messages = new ArrayList<ObjectValue>();
    var open = new ArrayList<String>();
    int systems = random.nextInt(3);
    for (int i = 0; i < systems; i++) {
      messages.add(system("rule " + i));
    }
    int size = random.nextInt(30);
    for (int i = 0; i < size; i++) {
      switch (random.nextInt(8)) {
        case 0 -> messages.add(user("u" + i));
        case 1 -> messages.add(says("a" + i));
        case 2 -> messages.add(system("s" + i));
        case 3 -> messages.add(CompactionRangeFinder.summary("so far " + i, 3));
        case 4, 5 -> {
          open.add("c" + i);
          messages.add(asks("c" + i));
        }
        default -> {
          if (!open.isEmpty()) {
            messages.add(result(open.remove(random.nextInt(open.size()))));
          }
        }
      }
    }
    return list(messages);
  }

  private static ListValue list(List<ObjectValue> messages) {
    return ListValue.of(messages);
  }

  private static ObjectValue system(String text) {
    return message("system", text);
  }

  private static ObjectValue user(String text) {
    return message("user", text);
  }

  private static ObjectValue says(String text) {
    return message("assistant", text);
  }

  private static ObjectValue asks(String... ids) {
    var calls =
        IntStream.range(0, ids.length)
            .mapToObj(it -> ObjectValue.of("id", Value.of(ids[it])).plus("name", Value.of("f")))
            .toList();
    return ObjectValue.of("role", Value.of("assistant")).plus("tool_calls", ListValue.of(calls));
  }

  private static ObjectValue result(String id) {
    return message("tool", "done").plus("tool_call_id", Value.of(id));
  }

  private static ObjectValue message(String role, String text) {
    return ObjectValue.of("role", Value.of(role)).plus("content", Value.of(text));
  }
}
