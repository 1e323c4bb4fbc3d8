package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Json;
import dev.superstep.langgraph.WireMessage;
import dev.superstep.langgraph.run.StreamPosition.TextPosition;
import dev.superstep.state.value.ObjectValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a client gets of the messages of a commit that comes again with parts of messages.
class MessageFramesTests {
  /// It has a piece of message `a`, and of another that it does not name.
  private static final StreamPosition PARTIAL =
      new StreamPosition(
          1, 3, new TextPosition.PiecePosition(1, 5, StreamPosition.hash("a")), true);

  private static String committed(String message, StreamMode... modes) throws IOException {
    var out = new ByteArrayOutputStream();
    var frames = new FrameWriter(out, Duration.ofHours(1));
    var emitter = new Emitter(frames, Set.of(modes), CheckpointNamespace.ROOT, PARTIAL);
    var run = new StreamedRun("run", "thread", "helper", "stored", 0, Optional.empty(), false);
    emitter.at(4);
    new MessageFrames(run, emitter.pieces(), emitter)
        .committed(
            new WireMessage((ObjectValue) Json.read(message)),
            new TaskKey(2, new NodeId("talk"), null));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String answer(String id) {
    return "{\"role\": \"assistant\", \"id\": \"%s\", \"content\": \"Good day\"}".formatted(id);
  }

  @Test
  void sendsTheRestOfTheMessageThatWasBeingWritten() throws IOException {
    assertThat(committed(answer("a"), StreamMode.MESSAGES_TUPLE))
        .contains("\"content\":\"day\"", "\"id\":\"a\"");
  }

  @Test
  void sendsUnderAnotherIdWhatTheClientMayHaveAPartOf() throws IOException {
    assertThat(committed(answer("b"), StreamMode.MESSAGES_TUPLE))
        .contains("\"content\":\"Good day\"", "\"id\":\"b-2\"");
  }

  @Test
  void leavesItToTheStateIfTheClientGetsThat() throws IOException {
    assertThat(committed(answer("b"), StreamMode.MESSAGES_TUPLE, StreamMode.VALUES)).isEmpty();
  }

  /// A tool's message is not written in pieces.
  @Test
  void sendsMessagesOfToolsAsTheyAre() throws IOException {
    var message =
        "{\"role\": \"tool\", \"id\": \"t\", \"content\": \"42\", \"tool_call_id\": \"c\"}";

    assertThat(committed(message, StreamMode.MESSAGES_TUPLE, StreamMode.VALUES))
        .contains("\"content\":\"42\"", "\"id\":\"t\"");
  }
}
