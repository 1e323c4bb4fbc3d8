package dev.superstep.langgraph.stream;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.task.CustomEvent;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.run.RunQueries;
import dev.superstep.run.stream.CommitReader;
import dev.superstep.run.stream.EventSink;
import dev.superstep.run.stream.StreamClosed;
import dev.superstep.run.view.CheckpointView;
import dev.superstep.run.view.EventView;
import dev.superstep.run.view.Page;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes one run for one client: the states, changes and messages that its events report. What a
/// superstep has changed is written when it has committed, from what is stored, so that a client
/// that comes again gets the same.
final class RunFrames implements EventSink {
  private static final Logger log = LoggerFactory.getLogger(RunFrames.class);
  private static final int PAGE = 50;

  private final StreamedRun run;
  private final RunQueries queries;
  private final CommitReader commits;
  private final WireState wire;
  private final Frames frames;
  private final Emitter emitter;
  private final MessagePieces pieces;
  private final MessageFrames messages;
  private final CheckpointFrames checkpoints;
  private final TaskFrames tasks;
  private final ToolFrames tools;
  private final InnerRuns inner;
  private final Set<String> customs = new HashSet<>();
  private boolean isIncomplete;

  RunFrames(StreamedRun run, RunQueries queries, Frames frames, Writers writers) {
    this.run = run;
    this.queries = queries;
    this.commits = new CommitReader(queries);
    this.wire = writers.wire();
    this.frames = frames;
    this.emitter = writers.emitter();
    this.pieces = writers.pieces();
    this.messages = new MessageFrames(run, wire, pieces, emitter);
    this.checkpoints = new CheckpointFrames(run, writers.states(), emitter);
    this.tasks = new TaskFrames(run, wire, emitter, checkpoints);
    this.tools = new ToolFrames(emitter);
    this.inner = writers.inner();
  }

  /// What one run is written with.
  ///
  /// @param inner writes the runs that its tasks begin
  record Writers(
      WireState wire,
      ThreadStates states,
      Emitter emitter,
      MessagePieces pieces,
      InnerRuns inner) {}

  /// Writes the first event of each stream.
  static void begin(StreamedRun run, Emitter emitter) throws IOException {
    emitter.at(run.after());
    emitter.outermost(
        "metadata",
        ObjectValue.builder()
            .put("attempt", Value.of(1))
            .put("run_id", Value.of(run.id()))
            .put("thread_id", Value.of(run.thread()))
            .build());
  }

  /// The state of a run in which nothing happens.
  void rest() throws IOException {
    var view = queries.run(run.run());
    var state = wire.state(queries.state(run.run(), Optional.empty()).state());
    emitter.emit(
        StreamMode.VALUES,
        () ->
            view.interrupts().isEmpty()
                ? state
                : state.plus(OpenQuestions.KEY, OpenQuestions.of(view)));
  }

  @Override
  public boolean stored(EventView view) throws IOException {
    long seq = view.seq().orElseThrow();
    if (run.done() || run.until().filter(it -> seq > it).isPresent()) {
      return true;
    }
    emitter.at(seq);
    pieces.stored();
    var event = view.event();
    return switch (event.type()) {
      case "run.started" -> begun(Optional.empty());
      case "run.resumed" -> resumed(view);
      case "superstep.committed" -> committed(view);
      case "custom" -> custom(event);
      case "task.failed" -> tasks.failed(event);
      case "task.child_started" -> inner.begin(event);
      case "run.interrupted" -> interrupted(view);
      case "run.failed" -> failed(event);
      case "run.succeeded" -> succeeded();
      case "run.cancelled" -> cancelled();
      default -> false;
    };
  }

  /// The state with which a run begins, or goes on.
  private boolean begun(Optional<Integer> superstep) throws IOException {
    lifecycle("started");
    var checkpoint =
        superstep.isEmpty() ? Optional.of(queries.checkpoint(run.run(), 0)) : last(superstep.get());
    if (checkpoint.isPresent()) {
      var changes = checkpoint.get().changes();
      if (superstep.isEmpty()) {
        for (var change : changes) {
          for (var message : wire.messages(change.change())) {
            messages.given(message);
          }
        }
      }
      state(checkpoint.get());
      tasks.begin(checkpoint.get());
    }
    return false;
  }

  private boolean resumed(EventView view) throws IOException {
    if (inner.isWanted()) {
      new ResumedChildren(queries, run.run()).of(view).forEach(inner::follow);
    }
    return begun(view.event().superstep());
  }

  /// The newest committed checkpoint of a superstep.
  private Optional<CheckpointView> last(int superstep) {
    return queries
        .checkpoints(run.run(), Optional.of(superstep), Page.Request.first(PAGE))
        .items()
        .stream()
        .filter(it -> it.kind() != CheckpointKind.HELD)
        .findFirst()
        .map(it -> queries.checkpoint(run.run(), it.number()));
  }

  private boolean committed(EventView view) throws IOException {
    inner.await();
    var found = commits.find(view);
    isIncomplete = found.isEmpty();
    if (found.isPresent()) {
      var checkpoint = found.get();
      for (var applied : checkpoint.changes()) {
        if (applied.task().isPresent()) {
          finished(applied.task().get(), applied);
        }
      }
      tasks.committed(checkpoint);
      state(checkpoint);
    }
    pieces.committed();
    customs.clear();
    return false;
  }

  private void finished(TaskKey task, CheckpointView.Applied applied) throws IOException {
    for (var message : wire.messages(applied.change())) {
      messages.committed(message, task);
      tools.committed(message);
    }
    emitter.emit(
        StreamMode.UPDATES,
        () -> ObjectValue.of(task.node().value(), wire.change(applied.change())));
    tasks.finished(task, applied.change());
  }

  private void state(CheckpointView checkpoint) throws IOException {
    checkpoints.at(checkpoint.summary());
    emitter.emit(StreamMode.VALUES, () -> wire.state(checkpoint.state()));
  }

  private boolean custom(Event event) throws IOException {
    if (customs.remove(customKey(event))) {
      return false;
    }
    emitter.emit(StreamMode.CUSTOM, () -> event.data().getOr("data", Value.NULL));
    return false;
  }

  private static String customKey(Event event) {
    return MessageFrames.task(event) + " " + event.data().getOr("index", Value.NULL);
  }

  private boolean interrupted(EventView view) throws IOException {
    inner.await();
    var asked = new OpenQuestions(queries, run).at(view);
    emitter.emit(StreamMode.UPDATES, () -> ObjectValue.of(OpenQuestions.KEY, asked));
    var superstep = view.event().superstep();
    var checkpoint = superstep.flatMap(this::last);
    emitter.emit(
        StreamMode.VALUES,
        () ->
            checkpoint
                .map(it -> wire.state(it.state()))
                .orElse(ObjectValue.empty())
                .plus(OpenQuestions.KEY, asked));
    lifecycle("interrupted");
    return true;
  }

  private boolean failed(Event event) throws IOException {
    inner.await();
    lifecycle("failed");
    emitter.outermost(
        "error",
        ObjectValue.builder()
            .put("error", event.data().getOr("code", Value.of("error")))
            .put("message", event.data().getOr("message", Value.of("")))
            .build());
    return true;
  }

  /// The last state, if the checkpoints of supersteps were not kept.
  private boolean succeeded() throws IOException {
    inner.await();
    if (isIncomplete) {
      emitter.emit(
          StreamMode.VALUES, () -> wire.state(queries.state(run.run(), Optional.empty()).state()));
    }
    lifecycle("completed");
    return true;
  }

  private boolean cancelled() throws IOException {
    lifecycle("interrupted");
    return true;
  }

  private void lifecycle(String event) throws IOException {
    emitter.emit(
        StreamMode.LIFECYCLE,
        () -> ObjectValue.of("event", Value.of(event)).plus("namespace", emitter.namespace()));
  }

  @Override
  public void live(EventView view) throws IOException {
    var event = view.event();
    switch (event.type()) {
      case "message.delta" -> messages.live(view);
      case "task.started" -> tasks.started(event);
      case CustomEvent.TYPE -> {
        customs.add(customKey(event));
        emitter.live(StreamMode.CUSTOM, "custom", () -> event.data().getOr("data", Value.NULL));
      }
      default -> {}
    }
  }

  /// States that follow replace those that the client has got; clients that do not know the event
  /// pass it over.
  @Override
  public void rewound(String rewound, long through) throws IOException {
    emitter.rewind();
    var data =
        ObjectValue.of("run_id", Value.of(run.id())).plus("valid_through", Value.of(through));
    frames.write("rewound", "", data, Optional.empty());
  }

  @Override
  public void position(long seq) {
    // Ids are those of what is written.
  }

  @Override
  public void comment() throws IOException {
    frames.comment();
  }

  /// The client comes again by itself, when it finds the run unfinished.
  @Override
  public void cut(String cut, StreamClosed reason) {
    log.debug("a stream of run {} ends early: {}", cut, reason.reason());
  }

  @Override
  public void flush() throws IOException {
    frames.flush();
  }
}
