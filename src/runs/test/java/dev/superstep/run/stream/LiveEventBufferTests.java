package dev.superstep.run.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.TextHead;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.EventView;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// api.md, *Runs*: what waits for a slow reader of a stream is bounded.
class LiveEventBufferTests {
  private final LiveEventBuffer queue = new LiveEventBuffer(10_000);

  private static EventView event(String node, String type, ObjectValue data) {
    return event(1, node, type, data);
  }

  private static EventView event(int superstep, String node, String type, ObjectValue data) {
    var task = new TaskKey(superstep, new NodeId(node), null);
    return new EventView(Optional.empty(), "r", Instant.EPOCH, Event.of(type, task, data));
  }

  private static EventView piece(String node, int attempt, long offset, String text) {
    return event(node, MessageDelta.TYPE, delta("", attempt, offset, text).data());
  }

  private static MessageDelta delta(String textId, int attempt, long offset, String text) {
    return MessageDelta.next(new TextHead(attempt, textId, Optional.empty()), offset, text);
  }

  private List<String> taken() {
    return queue.drain().stream()
        .map(it ->
            it.event().node().map(NodeId::value).orElse("")
                + MessageDelta.of(it.event())
                    .map(delta ->
                        " %d@%d %s".formatted(delta.head().attempt(), delta.offset(), delta.text()))
                    .orElse(" " + it.event().type()))
        .toList();
  }

  @Test
  void joinsPiecesOfATextWhileTheyWait() {
    queue.add(piece("a", 1, 0, "He"));
    queue.add(piece("b", 1, 0, "Good"));
    queue.add(piece("a", 1, 2, "llo 😀"));
    queue.add(piece("a", 1, 7, "!"));

    assertThat(taken()).containsExactly("a 1@0 Hello 😀!", "b 1@0 Good");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void beginsANewPieceWhereATextBeginsOrSomethingIsMissing() {
    queue.add(piece("a", 1, 0, "no"));
    queue.add(piece("a", 2, 0, "y"));
    queue.add(piece("a", 2, 5, "s"));
    queue.add(piece("a", 2, 0, "again"));

    assertThat(taken()).containsExactly("a 1@0 no", "a 2@0 y", "a 2@5 s", "a 2@0 again");
  }

  @Test
  void keepsTheOrderWithinATask() {
    queue.add(event("a", "task.started", ObjectValue.empty()));
    queue.add(piece("a", 1, 0, "x"));
    queue.add(event("a", "task.retrying", ObjectValue.empty()));
    queue.add(piece("a", 1, 1, "y"));

    assertThat(taken()).containsExactly("a task.started", "a 1@0 x", "a task.retrying", "a 1@1 y");
  }

  @Test
  void takesNoMoreThanItHasRoomFor() {
    long at = 0;
    while (queue.add(piece("a", 1, at, "x".repeat(1_000)))) {
      at += 1_000;
    }

    assertThat(at).isEqualTo(9_000);
    queue.clear();
    assertThat(queue.add(piece("a", 1, at, "x"))).isTrue();
  }

  @Test
  void keepsThoseOfLaterSuperstepsWhenEarlierOnesAreTaken() {
    queue.add(piece("a", 1, 0, "x".repeat(9_000)));
    queue.add(event(2, "a", MessageDelta.TYPE, delta("", 1, 0, "He").data()));

    assertThat(queue.drain(0)).isEmpty();
    assertThat(queue.drain(1)).hasSize(1);
    // the room of what was taken is free, and the other text goes on growing
    var more = delta("", 1, 2, "l".repeat(9_000)).data();
    assertThat(queue.add(event(2, "a", MessageDelta.TYPE, more))).isTrue();
    assertThat(queue.drain(2)).hasSize(1);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void beginsAnewWhereAPieceHasBeenTaken() {
    queue.add(piece("a", 1, 0, "He"));
    queue.drain(1);
    queue.add(piece("a", 1, 2, "llo"));

    assertThat(taken()).containsExactly("a 1@2 llo");
  }

  private void add(String textId, long offset, String text) {
    queue.add(event("a", MessageDelta.TYPE, delta(textId, 1, offset, text).data()));
  }

  private void addSoFar(String textId, String text) {
    var head = new TextHead(1, textId, Optional.empty());
    queue.add(event("a", MessageDelta.TYPE, MessageDelta.soFar(head, text).data()));
  }

  @Test
  void leavesOutWhatAReaderHasTakenOfAText() {
    add("t-1", 0, "a😀");
    queue.drain();
    addSoFar("t-1", "a😀bc");
    add("t-1", 4, "d");
    addSoFar("t-1", "a😀bcd");

    assertThat(taken()).containsExactly("a 1@2 bcd");
  }

  @Test
  void givesAReaderWhoMissedTheBeginningTheWholeText() {
    add("t-1", 3, "d");
    addSoFar("t-1", "abcd");
    add("t-1", 4, "e");

    assertThat(taken()).containsExactly("a 1@3 d", "a 1@0 abcde");
  }

  @Test
  void takesATextThatIsBegunAnewForAnotherOne() {
    add("t-1", 0, "abc");
    add("t-2", 0, "ab");
    addSoFar("t-2", "abcd");

    assertThat(taken()).containsExactly("a 1@0 abc", "a 1@0 abcd");
  }

  /// Replicas of an older release name no texts.
  @Test
  void leavesOutNothingOfTextsWithoutNames() {
    add("", 0, "abc");
    add("", 0, "abc");

    assertThat(taken()).containsExactly("a 1@0 abc", "a 1@0 abc");
  }
}
