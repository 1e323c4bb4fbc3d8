package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a client gets of events of nodes that come live and stored.
class CustomFramesTests {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Emitter emitter =
      new Emitter(
          new FrameWriter(out, Duration.ofHours(1)),
          Set.of(StreamMode.CUSTOM),
          CheckpointNamespace.ROOT,
          StreamPosition.BEGIN);
  private final CustomFrames frames = new CustomFrames(emitter);

  private static Event event(long index, String data) {
    return Event.of(
        CustomEvent.TYPE,
        new TaskKey(2, new NodeId("search"), null),
        ObjectValue.of("index", Value.of(index)).plus("data", Value.of(data)));
  }

  private void live(long index, String data) throws IOException {
    frames.live(event(index, data));
  }

  private void stored(long seq, long index, String data) throws IOException {
    emitter.at(seq);
    frames.stored(event(index, data));
  }

  private long times(String data) {
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(("data: \"" + data + "\"")::equals)
        .count();
  }

  @Test
  void showsOnceWhatIsStoredBehindTheLiveEvent() throws IOException {
    live(0, "found");
    stored(4, 0, "found");

    assertThat(times("found")).isOne();
  }

  /// As it is where a stream reads a long superstep page by page.
  @Test
  void showsOnceWhatComesLiveBehindTheStoredEvent() throws IOException {
    stored(4, 0, "found");
    live(0, "found");

    assertThat(times("found")).isOne();
  }

  /// Of an attempt that another one repeats: live, stored, and late.
  @Test
  void showsOnceWhatComesLiveBeforeAndBehindTheStoredEvent() throws IOException {
    live(0, "found");
    stored(4, 0, "found");
    live(0, "found");

    assertThat(times("found")).isOne();
  }

  @Test
  void showsEachPlaceAndWhatAnotherAttemptReportsThere() throws IOException {
    live(0, "found");
    live(1, "found");
    stored(4, 0, "read");

    assertThat(times("found")).isEqualTo(2);
    assertThat(times("read")).isOne();
  }

  /// The database has gone back: what follows replaces what the client has got.
  @Test
  void showsAgainWhatIsForgotten() throws IOException {
    stored(4, 0, "found");
    frames.forget();
    stored(4, 0, "found");

    assertThat(times("found")).isEqualTo(2);
  }
}
