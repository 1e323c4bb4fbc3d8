package dev.superstep.run.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.view.EventView;
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
    return event(node, MessageDelta.TYPE, new MessageDelta(attempt, offset, text).data());
  }

  private List<String> taken() {
    return queue.drain().stream()
        .map(it ->
            it.event().node().map(NodeId::value).orElse("")
                + MessageDelta.of(it.event())
                    .map(delta ->
                        " %d@%d %s".formatted(delta.attempt(), delta.offset(), delta.text()))
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
    queue.add(event(2, "a", MessageDelta.TYPE, new MessageDelta(1, 0, "He").data()));

    assertThat(queue.drain(0)).isEmpty();
    assertThat(queue.drain(1)).hasSize(1);
    // the room of what was taken is free, and the other text goes on growing
    var more = new MessageDelta(1, 2, "l".repeat(9_000)).data();
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
}
