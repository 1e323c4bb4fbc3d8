package dev.superstep.run.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.EventView;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The place of live events among stored ones.
class PendingEventsTests {
  private final PendingEvents pending = new PendingEvents();

  private static EventView live(int superstep) {
    var task = new TaskKey(superstep, new NodeId("a"), null);
    return new EventView(
        Optional.empty(), "r", Instant.EPOCH, Event.of("task.started", task, ObjectValue.empty()));
  }

  private static EventView of(String attempt, String node) {
    var task = new TaskKey(1, new NodeId(node), null);
    var data = ObjectValue.of(LiveEventSink.ATTEMPT_ID, attempt);
    return new EventView(Optional.empty(), "r", Instant.EPOCH, Event.of("custom", task, data));
  }

  private static EventView stored(String type, int superstep) {
    return new EventView(
        Optional.of(1L), "r", Instant.EPOCH, Event.of(type, superstep, ObjectValue.empty()));
  }

  private static List<EventView> lives(int... supersteps) {
    return IntStream.of(supersteps).mapToObj(PendingEventsTests::live).toList();
  }

  @Test
  void putsLiveEventsBeforeTheCommitOfTheirSuperstep() {
    pending.add(lives(1, 2, 1));

    assertThat(pending.before(stored("superstep.committed", 1))).isEqualTo(lives(1, 1));
    pending.catchUp();
    assertThat(pending.ready()).isEqualTo(lives(2));
  }

  @Test
  void holdsBackWhatIsAheadOfTheStoredEvents() {
    pending.add(lives(1));
    pending.catchUp();
    pending.add(lives(2));

    assertThat(pending.ready()).isEqualTo(lives(1));
    assertThat(pending.isAhead()).isTrue();
    pending.catchUp();
    assertThat(pending.isAhead()).isFalse();
    assertThat(pending.ready()).isEqualTo(lives(2));
  }

  /// What has led to another attempt is stored, perhaps: a takeover.
  @Test
  void holdsBackWhatAnotherAttemptReportsUntilStoredEventsAreRead() {
    pending.add(List.of(of("first", "a"), of("first", "a"), of("other", "b")));
    pending.catchUp();
    assertThat(pending.ready()).hasSize(3);
    pending.add(List.of(of("first", "a")));
    assertThat(pending.isAhead()).isFalse();

    pending.add(List.of(of("second", "a")));
    assertThat(pending.isAhead()).isTrue();
    assertThat(pending.ready()).isEmpty();
    pending.catchUp();
    assertThat(pending.ready()).containsExactly(of("first", "a"), of("second", "a"));
  }

  @Test
  void dropsWhatComesBehindTheCommitOfItsSuperstep() {
    pending.before(stored("superstep.committed", 4));
    pending.add(lives(4, 3, 5));
    pending.catchUp();

    assertThat(pending.ready()).isEqualTo(lives(5));
    assertThat(pending.isEmpty()).isTrue();
  }

  @Test
  void putsThemBeforeTheEndOfTheRun() {
    pending.add(lives(2));

    assertThat(pending.before(stored("run.interrupted", 1))).isEqualTo(lives(2));
  }

  @Test
  void keepsLaterOnesBehindAnEndThatIsHistory() {
    pending.add(lives(7));

    assertThat(pending.before(stored("run.interrupted", 2))).isEmpty();
    pending.catchUp();
    assertThat(pending.ready()).isEqualTo(lives(7));
  }
}
