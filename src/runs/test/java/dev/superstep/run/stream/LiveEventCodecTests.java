package dev.superstep.run.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.TextHead;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.EventView;
import dev.superstep.state.value.ObjectValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Live events on their way between replicas.
class LiveEventCodecTests {
  private static final int PAYLOAD_MAX = 8_000;
  private final LiveEventCodec reading = new LiveEventCodec();

  private static EventView piece(String dispatch, String text) {
    var task = new TaskKey(3, new NodeId("ask"), dispatch);
    var head = new TextHead(2, "t-1", Optional.of("m-1"));
    var data = MessageDelta.next(head, 7, text).data();
    return new EventView(
        Optional.empty(), "run-1", Instant.EPOCH, Event.of(MessageDelta.TYPE, task, data));
  }

  private List<EventView> read(List<String> parts) {
    var read = new ArrayList<EventView>();
    parts.forEach(it -> read.addAll(reading.read(it)));
    return read;
  }

  @Test
  void bringsEventsAsTheyWere() {
    var events =
        List.of(
            piece("d-1", "line one\nline two \u0001 \"😀\""),
            new EventView(
                Optional.empty(),
                "run-2",
                Instant.EPOCH,
                Event.of("task.started", ObjectValue.empty())));

    assertThat(read(LiveEventCodec.write(events))).isEqualTo(events);
  }

  /// Rule 6: NOTIFY takes less than 8,000 bytes; equal ones in a transaction arrive once.
  @Test
  void cutsWhatIsTooLongForOneNotification() {
    var events = List.of(piece("d-1", "ä€😀".repeat(5_000)), piece("d-2", "y".repeat(30_000)));

    var parts = LiveEventCodec.write(events);

    assertThat(parts)
        .hasSizeGreaterThan(8)
        .allMatch(it -> it.getBytes(StandardCharsets.UTF_8).length < PAYLOAD_MAX);
    assertThat(new HashSet<>(parts)).hasSameSizeAs(parts);
    assertThat(read(parts)).isEqualTo(events);
  }

  @Test
  void dropsWhatItHasNotHeardFromTheBeginning() {
    var parts = LiveEventCodec.write(List.of(piece("d-1", "x".repeat(20_000))));
    var whole = List.of(piece("d-2", "whole"));

    assertThat(read(parts.subList(1, parts.size()))).isEmpty();
    assertThat(read(LiveEventCodec.write(whole))).isEqualTo(whole);
  }

  @Test
  void ignoresWhatALaterReleaseMightSay() {
    assertThat(read(List.of("", "nonsense", "0.{}", "0.[1]", "1.{}", "99999999999+x"))).isEmpty();
  }
}
