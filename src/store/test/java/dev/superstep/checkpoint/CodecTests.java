package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.TaskRecord.Why;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Carriers;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// E44: everything a checkpoint holds comes back as it was. The seed is the parameter.
class CodecTests {
  private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesTaskRecordsBack(long seed) {
    var record = new RandomParts(seed).record(7);

    assertThat(TaskRecordCodec.read(again(TaskRecordCodec.write(record)), 7)).isEqualTo(record);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesWhatIsPendingBack(long seed) {
    var pending = new RandomParts(seed).pending();

    assertThat(PendingCodec.read(again(PendingCodec.write(pending)))).isEqualTo(pending);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesEventsBack(long seed) {
    var parts = new RandomParts(seed);
    var events = parts.list(parts::event);

    assertThat(EventCodec.read(EventCodec.bytes(events))).isEqualTo(events);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesHeldContentBack(long seed) {
    var parts = new RandomParts(seed);
    var delta = new Commit.Delta(parts.list(() -> parts.record(4)), Optional.empty(), Map.of());
    var content = new Content(delta, Optional.empty(), parts.below(3));

    assertThat(Content.read(content.bytes(), CheckpointKind.HELD, 3)).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesEditsBackWithTheResultsOfUsersMerges(long seed) {
    var parts = new RandomParts(seed);
    var opaque = new HashMap<String, Optional<Value>>();
    parts.list(parts::text).forEach(it -> opaque.put(it, parts.maybe(() -> parts.value(0))));
    var delta = new Commit.Delta(List.of(), Optional.of(parts.change()), opaque);
    var content = new Content(delta, Optional.of(parts.pending()), parts.below(3));

    assertThat(Content.read(content.bytes(), CheckpointKind.UPDATE, 3)).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesSnapshotsBack(long seed) {
    var parts = new RandomParts(seed);
    var held = new HashMap<TaskKey, TaskRecord>();
    parts.list(() -> parts.record(4)).forEach(it -> held.put(it.key(), it));
    var context =
        new PromptContext(
            parts.text(),
            parts.object(),
            ListValue.of(parts.list(parts::object)),
            ListValue.of(parts.list(() -> Value.of(parts.time().toString()))),
            parts.object());
    var snapshot =
        new Snapshot(
            GraphState.of(parts.object()),
            parts.maybe(() -> context),
            held,
            parts.maybe(parts::pending));

    assertThat(Snapshot.read(snapshot.bytes(), 4)).isEqualTo(snapshot);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesErrorsOfRunsBack(long seed) {
    var parts = new RandomParts(seed);
    var error =
        new RunError(parts.error(), parts.maybe(() -> parts.record(2).key()), parts.below(5));

    assertThat(HeadCodec.error(HeadCodec.bytes(error))).isEqualTo(error);
  }

  @Test
  void givesLimitsAndBreakpointsBack() {
    var limits =
        new Limits(
            Optional.of(5),
            Optional.empty(),
            Optional.of(7),
            Optional.of(1),
            Optional.of(1L << 40),
            Optional.of(Duration.ofMinutes(3)));
    var breakpoints = new Breakpoints(Set.of("a", "b"), Set.of("*"));
    var breakpoint = new RunHead.Breakpoint("after", List.of("b", "a"));

    assertThat(HeadCodec.limits(HeadCodec.bytes(limits))).isEqualTo(limits);
    assertThat(HeadCodec.limits(HeadCodec.bytes(Limits.NONE))).isEqualTo(Limits.NONE);
    assertThat(HeadCodec.breakpoints(HeadCodec.bytes(breakpoints))).isEqualTo(breakpoints);
    assertThat(HeadCodec.breakpoint(HeadCodec.bytes(breakpoint))).isEqualTo(breakpoint);
  }

  /// E46: 1 and 1.0 stay different, whatever is done with them.
  @Test
  void tellsIntegersFromFractions() {
    var list = ListValue.of(Value.of(1L), Value.of(1.0), Value.of(-0.0), Value.of(Long.MIN_VALUE));

    assertThat(again(list)).isEqualTo(list);
    assertThat(((ListValue) again(list)).get(0)).isNotEqualTo(list.get(1));
  }

  /// The dispatches of a committed task are among the pending activations: stored once.
  @Test
  void storesNoDispatchTwice() {
    var parts = new RandomParts(5);
    NodeResult result;
    do {
      result = parts.result();
    } while (result.dispatch().isEmpty());
    var done =
        new TaskRecord(
            parts.record(1).key(),
            1,
            0,
            TaskRecord.TaskQuestions.NOTHING,
            new TaskRecord.TaskStatus.Done(result),
            parts.time(),
            parts.time(),
            TaskRecord.Left.NOTHING);
    var delta = new Commit.Delta(List.of(done), Optional.empty(), Map.of());
    var stored =
        Content.read(
            new Content(delta, Optional.of(parts.pending()), 0).bytes(), CheckpointKind.STEP, 1);

    var ending = (TaskRecord.TaskStatus.Done) stored.delta().tasks().getFirst().status();
    assertThat(ending.result().dispatch()).isEmpty();
    assertThat(ending.result().change()).isEqualTo(result.change());
  }

  /// What is stored of a task must be read, and written, as it was by every release.
  @Test
  void keepsTheStoredFormOfEachEnding() {
    var done = NodeResult.of(Change.update("a", Value.of(1L)));
    var error = TaskError.permanent("x", "y");
    var question =
        new Interrupt(
            "i", "r", Value.NULL, Optional.empty(), THEN, Optional.empty(), Optional.empty());

    var addressees = new Addressees(Optional.of("ann"), List.of("bob"), List.of("starter"));

    assertThat(
            Stream.of(
                    new TaskStatus.Done(done),
                    new TaskStatus.Failed(error),
                    new TaskStatus.Rejected(done, error),
                    new TaskStatus.Handled(error, done),
                    new TaskStatus.Open(),
                    new TaskStatus.Interrupted(question),
                    new TaskStatus.Interrupted(question.by(MayAnswer.OTHER_THAN_STARTER)),
                    new TaskStatus.Interrupted(question.to(addressees)),
                    new TaskStatus.Waiting(THEN, Why.RETRY),
                    new TaskStatus.Waiting(THEN, Why.SLEEP),
                    new TaskStatus.Waiting(THEN, Why.TURN),
                    new TaskStatus.Child("c", Optional.empty()),
                    new TaskStatus.AtWorker("w", Optional.empty()))
                .map(CodecTests::stored))
        .containsExactlyElementsOf(
            """
            {"done":{"c":{"u":{"a":1}}},"f":1767323045000000,"n":"n","s":1767323045000000}
            {"f":1767323045000000,"failed":{"code":"x","text":"y"},"n":"n","s":1767323045000000}
            {"error":{"code":"x","text":"y"},"f":1767323045000000,"n":"n","rejected":{"c":{"u":{"a":1}}},"s":1767323045000000}
            {"error":{"code":"x","text":"y"},"f":1767323045000000,"handled":{"c":{"u":{"a":1}}},"n":"n","s":1767323045000000}
            {"f":1767323045000000,"n":"n","open":true,"s":1767323045000000}
            {"asks":{"at":1767323045000000,"id":"i","payload":null,"reason":"r"},"f":1767323045000000,"n":"n","s":1767323045000000}
            {"asks":{"at":1767323045000000,"by":"other_than_starter","id":"i","payload":null,"reason":"r"},"f":1767323045000000,"n":"n","s":1767323045000000}
            {"asks":{"at":1767323045000000,"for":{"assignee":"ann","candidates":["bob"],"not":["starter"]},"id":"i","payload":null,"reason":"r"},"f":1767323045000000,"n":"n","s":1767323045000000}
            {"f":1767323045000000,"n":"n","retry":1767323045000000,"s":1767323045000000}
            {"f":1767323045000000,"n":"n","s":1767323045000000,"sleep":1767323045000000}
            {"f":1767323045000000,"n":"n","retry":1767323045000000,"s":1767323045000000,"turn":true}
            {"child":"c","f":1767323045000000,"n":"n","s":1767323045000000}
            {"f":1767323045000000,"n":"n","s":1767323045000000,"worker":"w"}
            """
                .lines()
                .toList());
  }

  private static String stored(TaskStatus taskStatus) {
    var key = new TaskKey(1, new NodeId("n"), null);
    var record =
        new TaskRecord(
            key,
            1,
            0,
            TaskRecord.TaskQuestions.NOTHING,
            taskStatus,
            THEN,
            THEN,
            TaskRecord.Left.NOTHING);
    return Canonical.text(TaskRecordCodec.write(record));
  }

  @Test
  void refusesAFormItDoesNotKnow() {
    var newer = "{\"v\":3}".getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> Content.read(newer, CheckpointKind.STEP, 1))
        .matches(StoredForm::isNewer)
        .hasMessageContaining("this replica reads form 2");
  }

  /// E49: a replica of the release before leaves such a checkpoint alone, wherever it was copied.
  @ParameterizedTest
  @CsvSource({"n, 1", "__inbox__, 2"})
  void writesTheNewerFormWhereASuperstepHasTakenMessages(String node, int form) {
    var record =
        new TaskRecord(
            new TaskKey(1, new NodeId(node), "m"),
            1,
            0,
            TaskRecord.TaskQuestions.NOTHING,
            new TaskStatus.Done(NodeResult.of(Change.NONE)),
            THEN,
            THEN,
            TaskRecord.Left.NOTHING);
    var delta =
        new Commit.Delta(List.of(record), Optional.empty(), Map.of(), Commit.ContextDelta.NONE);

    var content = new Content(delta, Optional.empty(), 0);

    assertThat(StoredObject.object(content.bytes()).intOr(0, "v")).isEqualTo(form);
    assertThat(Content.read(content.bytes(), CheckpointKind.STEP, 1)).isEqualTo(content);
  }

  /// durability.md, rule 15
  @Test
  void takesAKindThatItDoesNotKnowForOneOfANewerRelease() {
    var postponed = ObjectValue.of("n", Value.of("a")).plus("postponed", Value.of(1));

    assertThatThrownBy(() -> TaskRecordCodec.read(postponed, 1)).matches(StoredForm::isNewer);
  }

  @Test
  void refusesDamagedBytes() {
    var torn = "{\"v\":1,\"t\":[{".getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> Content.read(torn, CheckpointKind.STEP, 1))
        .isInstanceOf(CorruptCheckpointException.class);
    assertThatThrownBy(() -> ChangeCodec.read("{\"rm\":{}}".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(CorruptCheckpointException.class)
        .hasMessageContaining("expected list, found object");
  }

  @Test
  void writesNothingForAnEmptyChange() {
    assertThat(new String(ChangeCodec.bytes(Change.NONE), StandardCharsets.UTF_8)).isEqualTo("{}");
  }

  private static Value again(Value value) {
    return StoredObject.value(StoredObject.bytes(value));
  }

  @Test
  void letsOthersRunWhileALargeSnapshotIsPacked() throws Exception {
    var json = new byte[4 << 20];
    new Random(5).nextBytes(json);
    Carriers.letOthersRunDuring(() -> assertThat(Compression.pack(json)).isNotEmpty());
  }
}
