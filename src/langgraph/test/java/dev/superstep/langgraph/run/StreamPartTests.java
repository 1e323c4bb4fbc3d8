package dev.superstep.langgraph.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.json.Json;
import dev.superstep.langgraph.WireMessage;
import dev.superstep.langgraph.run.StreamPart.CompleteMessage;
import dev.superstep.langgraph.run.StreamPart.CustomData;
import dev.superstep.langgraph.run.StreamPart.DebugPayload;
import dev.superstep.langgraph.run.StreamPart.InterruptUpdate;
import dev.superstep.langgraph.run.StreamPart.MessageChunk;
import dev.superstep.langgraph.run.StreamPart.MessageEnd;
import dev.superstep.langgraph.run.StreamPart.MessageIntroduction;
import dev.superstep.langgraph.run.StreamPart.MessageOrigin;
import dev.superstep.langgraph.run.StreamPart.NodeUpdate;
import dev.superstep.langgraph.run.StreamPart.PartialMessage;
import dev.superstep.langgraph.run.StreamPart.RunError;
import dev.superstep.langgraph.run.StreamPart.RunLifecycle;
import dev.superstep.langgraph.run.StreamPart.RunMetadata;
import dev.superstep.langgraph.run.StreamPart.StreamRewound;
import dev.superstep.langgraph.run.StreamPart.TaskPayload;
import dev.superstep.langgraph.run.StreamPart.TaskResultPayload;
import dev.superstep.langgraph.run.StreamPart.ToolEnd;
import dev.superstep.langgraph.run.StreamPart.ToolStart;
import dev.superstep.langgraph.run.StreamPart.ValuesPart;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// What clients read of each event, in the stream of a run and in that of its thread.
class StreamPartTests {
  private static final StreamedRun RUN =
      new StreamedRun("run", "thread", "helper", "stored", 0, Optional.empty(), false);
  private static final TaskKey TASK = new TaskKey(2, new NodeId("talk"), null);
  private static final MessageOrigin ORIGIN = new MessageOrigin(RUN, "stored", TASK);
  private static final String ORIGIN_JSON =
      """
      {"assistant_id":"helper","checkpoint_ns":"talk:ID","langgraph_checkpoint_ns":"talk:ID",\
      "langgraph_node":"talk","langgraph_step":2,"run_id":"run","tags":[],"thread_id":"thread"}\
      """;
  private static final String CHUNK_JSON =
      """
      {"additional_kwargs":{},"content":"TEXT","id":"m","invalid_tool_calls":[],\
      "response_metadata":{},"tool_call_chunks":[],"tool_calls":[],"type":"AIMessageChunk"}\
      """;
  private static final WireMessage ANSWER =
      message(
          """
          {"role": "assistant", "id": "m", "content": "Good 😀 day", "metadata":
            {"model": "big", "finish_reason": "stop", "own": 1,
             "usage": {"input_tokens": 1, "output_tokens": 2}},
           "tool_calls": [{"id": "c", "name": "look", "arguments": {"at": "sky"}},
             {"id": "d", "name": "look", "arguments": "at="}]}
          """);

  private static WireMessage message(String stored) {
    return new WireMessage(object(stored));
  }

  private static ObjectValue object(String json) {
    return (ObjectValue) Json.read(json);
  }

  private static StoredInterrupt interrupt() {
    var question =
        new TaskRecord.Interrupt(
            "q",
            "human",
            Value.of("Well?"),
            Optional.empty(),
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty());
    return new StoredInterrupt(
        question,
        new StoredInterrupt.InterruptedTask("stored", "graph", TASK, List.of()),
        StoredInterrupt.Status.OPEN,
        Optional.empty(),
        Optional.empty());
  }

  /// Writes one part as a stored event.
  private static String written(Frames frames, ByteArrayOutputStream out, StreamPart part)
      throws IOException {
    var place = new StreamPosition.TextPosition.Stored(3);
    var position = part instanceof MessageChunk ? null : new StreamPosition(1, 2, place, false);
    frames.write(part, CheckpointNamespace.ROOT, Optional.ofNullable(position));
    return out.toString(StandardCharsets.UTF_8)
        .replace(CheckpointNamespace.of("stored", TASK), "talk:ID");
  }

  private static void inRuns(StreamPart part, String event, String data) throws IOException {
    var out = new ByteArrayOutputStream();
    var frames = new FrameWriter(out, Duration.ofHours(1));
    assertThat(written(frames, out, part))
        .startsWith("event: %s\ndata: %s\n".formatted(event, data));
  }

  private static ProtocolFrames threads(OutputStream out) {
    var channels = "[\"values\",\"updates\",\"messages\",\"tools\",\"input\",\"tasks\",\"custom\"]";
    var all = ThreadSubscription.read(object("{\"channels\": %s}".formatted(channels)));
    return new ProtocolFrames(new ProtocolWriter(out, all), 0, 1);
  }

  /// @param events `method data` for each that clients of threads read
  private static void inThreads(StreamPart part, String... events) throws IOException {
    var out = new ByteArrayOutputStream();
    assertThat(read(written(threads(out), out, part))).containsExactly(events);
  }

  private static List<String> read(String stream) {
    return stream
        .lines()
        .filter(it -> it.startsWith("data: "))
        .map(it -> object(it.substring("data: ".length())))
        .map(it -> it.text("method") + " " + Json.write(it.object("params").object("data")))
        .toList();
  }

  @Test
  void writesStatesAndChanges() throws IOException {
    var state = object("{\"n\": 1}");
    inRuns(new ValuesPart(state), "values", "{\"n\":1}");
    inThreads(new ValuesPart(state), "values {\"n\":1}");
    var asking = new ValuesPart(state, Optional.of(List.of(interrupt())));
    inRuns(asking, "values", "{\"__interrupt__\":[{\"id\":\"q\",\"value\":\"Well?\"}],\"n\":1}");
    inThreads(asking, "values {\"n\":1}");
    inRuns(
        new ValuesPart(state, Optional.of(List.of())), "values", "{\"__interrupt__\":[],\"n\":1}");

    inRuns(new NodeUpdate("talk", state, false), "updates", "{\"talk\":{\"n\":1}}");
    inThreads(
        new NodeUpdate("talk", state, false), "updates {\"node\":\"talk\",\"values\":{\"n\":1}}");
    inRuns(new NodeUpdate("talk", Value.NULL, false), "updates", "{\"talk\":null}");
    inThreads(
        new NodeUpdate("talk", Value.NULL, false), "updates {\"node\":\"talk\",\"values\":{}}");
    inRuns(
        new NodeUpdate("talk", state, true),
        "updates",
        "{\"__metadata__\":{\"cached\":true},\"talk\":{\"n\":1}}");
    inThreads(new NodeUpdate("talk", state, true));
    var questions = new InterruptUpdate(List.of(interrupt(), interrupt()));
    inRuns(
        questions,
        "updates",
        "{\"__interrupt__\":[{\"id\":\"q\",\"value\":\"Well?\"},{\"id\":\"q\",\"value\":\"Well?\"}]}");
    inThreads(
        questions,
        "input.requested {\"interrupt_id\":\"q\",\"payload\":\"Well?\"}",
        "input.requested {\"interrupt_id\":\"q\",\"payload\":\"Well?\"}");
  }

  @Test
  void writesTasks() throws IOException {
    var begin = new TaskPayload("t", "talk", object("{\"n\": 1}"));
    var beginJson =
        "{\"id\":\"t\",\"input\":{\"n\":1},\"interrupts\":[],\"name\":\"talk\",\"triggers\":[]}";
    inRuns(begin, "tasks", beginJson);
    inThreads(begin, "tasks " + beginJson);
    var end =
        new TaskResultPayload(
            "t", "talk", ObjectValue.empty(), Optional.of("no luck"), List.of(interrupt()));
    var endJson =
        "{\"error\":\"no luck\",\"id\":\"t\",\"interrupts\":[{\"id\":\"q\",\"value\":\"Well?\"}],"
            + "\"name\":\"talk\",\"result\":{}}";
    inRuns(end, "tasks", endJson);
    inThreads(end, "tasks " + endJson);
    var debug = new DebugPayload("task_result", 7, Instant.EPOCH, end);
    inRuns(
        debug,
        "debug",
        "{\"payload\":%s,\"step\":7,\"timestamp\":\"1970-01-01T00:00:00Z\",\"type\":\"task_result\"}"
            .formatted(endJson));
    inThreads(debug);
  }

  @Test
  void writesMessagesOfRuns() throws IOException {
    inRuns(
        new MessageChunk("m", "Go", ORIGIN),
        "messages",
        "[%s,%s]".formatted(CHUNK_JSON.replace("TEXT", "Go"), ORIGIN_JSON));
    inRuns(
        new MessageIntroduction("m", ORIGIN),
        "messages/metadata",
        "{\"m\":{\"metadata\":%s}}".formatted(ORIGIN_JSON));
    inRuns(
        new PartialMessage("m", "Good"),
        "messages/partial",
        "[%s]".formatted(CHUNK_JSON.replace("TEXT", "Good").replace("AIMessageChunk", "ai")));
    var whole = Json.write(ANSWER.json());
    inRuns(new CompleteMessage(ANSWER), "messages/complete", "[%s]".formatted(whole));
    inRuns(
        new MessageEnd(ANSWER, ORIGIN, OptionalLong.empty()),
        "messages",
        "[%s,%s]".formatted(whole, ORIGIN_JSON));
    inRuns(
        new MessageEnd(ANSWER, ORIGIN, OptionalLong.of(6)),
        "messages",
        """
        [{"additional_kwargs":{"own":1},"content":" day","id":"m","invalid_tool_calls":[],\
        "response_metadata":{"finish_reason":"stop","model_name":"big"},\
        "tool_call_chunks":[{"args":"{\\"at\\":\\"sky\\"}","id":"c","index":0,"name":"look",\
        "type":"tool_call_chunk"}],"tool_calls":[{"args":{"at":"sky"},"id":"c","name":"look",\
        "type":"tool_call"}],"type":"AIMessageChunk","usage_metadata":{"input_tokens":1,\
        "output_tokens":2,"total_tokens":3}},%s]\
        """
            .formatted(ORIGIN_JSON));
  }

  @Test
  void writesMessagesOfThreadsInBlocks() throws IOException {
    var out = new ByteArrayOutputStream();
    var threads = threads(out);
    var _ = written(threads, out, new MessageChunk("m", "Good", ORIGIN));
    var all = written(threads, out, new MessageEnd(ANSWER, ORIGIN, OptionalLong.empty()));
    assertThat(read(all))
        .containsExactly(
            "messages {\"event\":\"message-start\",\"id\":\"m\",\"role\":\"ai\"}",
            "messages"
                + " {\"content\":{\"text\":\"\",\"type\":\"text\"},\"event\":\"content-block-start\",\"index\":0}",
            "messages"
                + " {\"delta\":{\"text\":\"Good\",\"type\":\"text-delta\"},\"event\":\"content-block-delta\",\"index\":0}",
            "messages {\"delta\":{\"text\":\" 😀"
                + " day\",\"type\":\"text-delta\"},\"event\":\"content-block-delta\",\"index\":0}",
            "messages {\"content\":{\"text\":\"Good 😀"
                + " day\",\"type\":\"text\"},\"event\":\"content-block-finish\",\"index\":0}",
            "messages"
                + " {\"content\":{\"args\":\"\",\"id\":\"c\",\"name\":\"look\",\"type\":\"tool_call_chunk\"},\"event\":\"content-block-start\",\"index\":1}",
            "messages"
                + " {\"content\":{\"args\":{\"at\":\"sky\"},\"id\":\"c\",\"name\":\"look\",\"type\":\"tool_call\"},\"event\":\"content-block-finish\",\"index\":1}",
            "messages"
                + " {\"event\":\"message-finish\",\"reason\":\"stop\",\"usage\":{\"input_tokens\":1,\"output_tokens\":2,\"total_tokens\":3}}");
    assertThat(all).contains("\"namespace\":[\"talk:ID\"],\"node\":\"talk\"");
    var answer =
        message(
            """
            {"role": "tool", "tool_call_id": "c", "name": "look", "is_error": true,
             "content": [{"type": "text", "text": "blue"}]}
            """);
    inThreads(
        new MessageEnd(answer, ORIGIN, OptionalLong.empty()),
        "messages"
            + " {\"event\":\"message-start\",\"id\":null,\"name\":\"look\",\"role\":\"tool\",\"status\":\"error\",\"tool_call_id\":\"c\"}",
        "messages"
            + " {\"content\":{\"text\":\"blue\",\"type\":\"text\"},\"event\":\"content-block-start\",\"index\":0}",
        "messages"
            + " {\"content\":{\"text\":\"blue\",\"type\":\"text\"},\"event\":\"content-block-finish\",\"index\":0}",
        "messages {\"event\":\"message-finish\"}");
  }

  @Test
  void writesCallsOfTools() throws IOException {
    var start = new ToolStart(object("{\"id\": \"c\", \"name\": \"look\", \"arguments\": {}}"));
    inRuns(
        start,
        "tools",
        "{\"event\":\"on_tool_start\",\"input\":{},\"name\":\"look\",\"toolCallId\":\"c\"}");
    inThreads(
        start,
        "tools"
            + " {\"event\":\"tool-started\",\"input\":{},\"tool_call_id\":\"c\",\"tool_name\":\"look\"}");
    var end = new ToolEnd(message("{\"role\": \"tool\", \"content\": \"blue\"}"));
    inRuns(
        end,
        "tools",
        "{\"event\":\"on_tool_end\",\"name\":null,\"output\":\"blue\",\"toolCallId\":null}");
    inThreads(
        end,
        "tools"
            + " {\"event\":\"tool-finished\",\"output\":\"blue\",\"tool_call_id\":null,\"tool_name\":null}");
    var error =
        new ToolEnd(
            message(
                "{\"role\": \"tool\", \"tool_call_id\": \"c\", \"content\": \"no\", \"is_error\":"
                    + " true}"));
    inRuns(
        error,
        "tools",
        "{\"error\":\"no\",\"event\":\"on_tool_error\",\"name\":null,\"toolCallId\":\"c\"}");
    inThreads(
        error,
        "tools"
            + " {\"event\":\"tool-error\",\"message\":\"no\",\"tool_call_id\":\"c\",\"tool_name\":null}");
  }

  @Test
  void writesWhatNodesReportAndHowARunMoves() throws IOException {
    inRuns(new CustomData(Value.of(3)), "custom", "3");
    inThreads(new CustomData(Value.of(3)), "custom {\"payload\":3}");
    var named = new CustomData(object("{\"name\": \"found\", \"n\": 1}"));
    inRuns(named, "custom", "{\"n\":1,\"name\":\"found\"}");
    inThreads(named, "custom {\"name\":\"found\",\"payload\":{\"n\":1,\"name\":\"found\"}}");
    var rewound = new StreamRewound("run", 4);
    inRuns(rewound, "rewound", "{\"run_id\":\"run\",\"valid_through\":4}");
    inThreads(
        rewound,
        "custom {\"name\":\"rewound\",\"payload\":{\"run_id\":\"run\",\"valid_through\":4}}");

    var metadata = new RunMetadata(RUN, 1);
    inRuns(metadata, "metadata", "{\"attempt\":1,\"run_id\":\"run\",\"thread_id\":\"thread\"}");
    inThreads(metadata);
    var inside = CheckpointNamespace.ROOT.inside("sub:1").inside("deep:2");
    assertThat(inside.suffix()).isEqualTo("|sub:1|deep:2");
    inRuns(
        new RunLifecycle("completed", inside),
        "lifecycle",
        "{\"event\":\"completed\",\"namespace\":[\"sub:1\",\"deep:2\"]}");
    inThreads(new RunLifecycle("completed", inside));
    var error = new RunError(Value.of("no_luck"), Value.of("no luck"));
    inRuns(error, "error", "{\"error\":\"no_luck\",\"message\":\"no luck\"}");
    inThreads(error);
  }
}
