package dev.superstep.langgraph.run;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.MessageChannels;
import dev.superstep.langgraph.run.StreamPart.InterruptUpdate;
import dev.superstep.langgraph.run.StreamPart.NodeUpdate;
import dev.superstep.langgraph.run.StreamPart.RunError;
import dev.superstep.langgraph.run.StreamPart.RunLifecycle;
import dev.superstep.langgraph.run.StreamPart.RunMetadata;
import dev.superstep.langgraph.run.StreamPart.StreamRewound;
import dev.superstep.langgraph.run.StreamPart.ValuesPart;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.CommitView;
import dev.superstep.run.EventView;
import dev.superstep.run.HeldStop;
import dev.superstep.run.Page;
import dev.superstep.run.RunQueries;
import dev.superstep.run.TaskEnd;
import dev.superstep.run.TaskView;
import dev.superstep.run.stream.CommitReader;
import dev.superstep.run.stream.EventSink;
import dev.superstep.run.stream.StreamClosed;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes one run for one client: the states, changes and messages that its events report. What a
/// superstep has changed is written when it has committed, from what is stored, so that a client
/// that comes again gets the same.
final class RunFrames implements EventSink {
  private static final Logger log = LoggerFactory.getLogger(RunFrames.class);
  private static final int PAGE = 50;
  private static final Set<String> RESTS = Set.of("run.interrupted", "run.failed");
  private static final Value OUT_OF_SUPERSTEPS = Value.of("max_supersteps_exceeded");

  private final StreamedRun run;
  private final RunQueries queries;
  private final CommitReader commits;
  private final MessageChannels channels;
  private final Frames frames;
  private final Emitter emitter;
  private final MessagePieces pieces;
  private final MessageFrames messages;
  private final CheckpointFrames checkpoints;
  private final TaskFrames tasks;
  private final InnerRuns inner;
  private final CustomFrames customs;
  private boolean isIncomplete;

  /// The `seq` behind which the events of this part are.
  private long after;

  /// @param inner writes the runs that its tasks begin
  RunFrames(
      StreamedRun run,
      RunQueries queries,
      ThreadStates states,
      MessageChannels channels,
      Emitter emitter,
      InnerRuns inner) {
    this.run = run;
    this.after = run.after();
    this.queries = queries;
    this.commits = new CommitReader(queries);
    this.channels = channels;
    this.emitter = emitter;
    this.frames = emitter.frames();
    this.pieces = emitter.pieces();
    this.messages = new MessageFrames(run, pieces, emitter);
    this.checkpoints = new CheckpointFrames(run, states, emitter);
    this.tasks = new TaskFrames(run, channels, emitter, checkpoints);
    this.inner = inner;
    this.customs = new CustomFrames(emitter);
  }

  /// Writes the first event of each stream.
  static void begin(StreamedRun run, Emitter emitter) throws IOException {
    emitter.at(run.after());
    emitter.outermost(new RunMetadata(run, 1));
  }

  /// The state of a run in which nothing happens.
  void rest() throws IOException {
    var view = queries.run(run.run());
    var state = channels.toWire(queries.stateWithPending(run.run(), Optional.empty()));
    var interrupts = Optional.of(view.interrupts()).filter(it -> !it.isEmpty());
    emitter.emit(StreamMode.VALUES, () -> new ValuesPart(state, interrupts));
  }

  @Override
  public boolean stored(EventView view) throws IOException {
    long seq = view.seq().orElseThrow();
    if (seq <= after) {
      return false; // of a part before this one, to which the database has gone back
    }
    if (run.done() || run.until().filter(it -> seq > it).isPresent()) {
      return true;
    }
    var event = view.event();
    if (happensInSuperstep(event)) {
      tasks.begin();
    }
    emitter.at(seq);
    checkpoints.now(view.at());
    pieces.stored();
    return switch (event.type()) {
      case "run.started" -> started();
      case "run.resumed" -> resumed(view);
      case "superstep.committed" -> committed(view);
      case CustomEvent.TYPE -> custom(event);
      case "run.taken_over" -> takenOver(event);
      case "task.failed" -> tasks.failed(event);
      case "task.child_started" -> inner.begin(view.run(), event);
      case "run.waiting" -> waiting(view);
      case "run.interrupted" -> interrupted(view);
      case "run.failed" -> failed(view);
      case "run.succeeded" -> succeeded();
      case "run.cancelled" -> cancelled();
      default -> false;
    };
  }

  /// Whether the tasks behind the last commit have begun when this happens.
  private static boolean happensInSuperstep(Event event) {
    return switch (event.type()) {
      case "run.started", "run.resumed", "run.succeeded" -> false;
      case "run.interrupted" -> !event.data().has("breakpoint");
      case "run.failed" -> !OUT_OF_SUPERSTEPS.equals(event.data().get("code"));
      default -> true;
    };
  }

  private boolean started() throws IOException {
    lifecycle("started");
    var checkpoint = queries.checkpoint(run.run(), 0);
    if (checkpoint.edit().isPresent()) {
      for (var message : channels.messages(checkpoint.edit().get())) {
        messages.given(message);
      }
    }
    checkpoints.first(checkpoint.summary());
    values(checkpoint);
    tasks.plan(checkpoint, Set.of());
    return false;
  }

  /// It goes on from the state that is committed. What tasks had done before it stopped comes
  /// again, marked as such.
  private boolean resumed(EventView view) throws IOException {
    int superstep = view.event().superstep().orElse(0);
    var stops = queries.stops(run.run(), superstep);
    if (isWaking(stops, view)) {
      return false;
    }
    if (inner.areWanted()) {
      new ResumedChildren(queries, run.run()).of(view).forEach(inner::follow);
    }
    lifecycle("started");
    var checkpoint = last(superstep);
    if (checkpoint.isPresent()) {
      checkpoints.at(checkpoint.get().summary());
      values(checkpoint.get());
      var done = ends(stops, view);
      for (var end : done) {
        updates(end, true);
      }
      tasks.plan(checkpoint.get(), keys(done));
    }
    return false;
  }

  /// Whether the run has only waited, for a run of its own: its tasks have begun.
  private boolean isWaking(List<HeldStop> stops, EventView resumed) {
    long seq = resumed.seq().orElseThrow();
    var last = stops.stream().filter(it -> it.seq() < seq).reduce((_, later) -> later);
    return last.filter(it -> !it.rests()).isPresent()
        && queries.events(run.run(), last.get().seq(), RESTS, 1).stream()
            .noneMatch(it -> it.seq().orElseThrow() < seq);
  }

  /// What has ended before this event, as stops have reported it.
  private static List<TaskEnd> ends(List<HeldStop> stops, EventView before) {
    long seq = before.seq().orElseThrow();
    return stops.stream().filter(it -> it.seq() < seq).flatMap(it -> it.ended().stream()).toList();
  }

  private static Set<TaskKey> keys(List<TaskEnd> ends) {
    return ends.stream().map(TaskEnd::task).collect(Collectors.toSet());
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

  /// Tasks that have not ended begin again.
  private boolean takenOver(Event event) throws IOException {
    pieces.takenOver();
    long takeovers = event.data().get("takeovers") instanceof Value.Int(long it) ? it : 1;
    emitter.outermost(new RunMetadata(run, takeovers + 1));
    return false;
  }

  private boolean committed(EventView view) throws IOException {
    inner.await();
    var found = commits.commit(view);
    isIncomplete = found.isEmpty();
    if (found.isPresent()) {
      committed(found.get(), view);
    } else {
      tasks.finishedUnknown();
    }
    pieces.committed();
    customs.forget();
    return false;
  }

  private void committed(CommitView commit, EventView view) throws IOException {
    var checkpoint = commit.checkpoint();
    var summary = checkpoint.summary();
    var reported =
        commit.held()
            ? keys(ends(queries.stops(run.run(), summary.superstep() - 1), view))
            : Set.<TaskKey>of();
    for (var end : checkpoint.ended()) {
      if (!reported.contains(end.task())) {
        finished(end);
      }
    }
    tasks.plan(checkpoint, Set.of());
    checkpoints.at(summary);
    emitter.emitAny(
        StreamMode.VALUES,
        () ->
            checkpoint.changesState()
                ? Optional.of(new ValuesPart(channels.toWire(checkpoint.state())))
                : Optional.empty());
  }

  /// The end of a task that has failed is reported by an event of its own.
  private void finished(TaskEnd end) throws IOException {
    for (var change : end.changes()) {
      for (var message : channels.messages(change)) {
        messages.committed(message, end.task());
      }
    }
    updates(end, false);
    switch (end.status()) {
      case FAILED -> {}
      case CANCELLED -> tasks.cancelled(end.task());
      case RUNNING, WAITING, SUCCEEDED, HANDLED, INTERRUPTED -> tasks.finished(end);
    }
  }

  /// @param isCached whether they were written before the run stopped
  private void updates(TaskEnd end, boolean isCached) throws IOException {
    boolean isQuiet =
        end.task().node().isReserved()
            || end.status() == TaskView.Status.FAILED
            || end.status() == TaskView.Status.CANCELLED;
    var changes = end.changes().isEmpty() && !isQuiet ? List.of(Change.NONE) : end.changes();
    for (var change : changes) {
      emitter.emit(
          StreamMode.UPDATES,
          () -> new NodeUpdate(end.task().node().value(), channels.toWire(change), isCached));
    }
  }

  private void values(CheckpointView checkpoint) throws IOException {
    emitter.emit(StreamMode.VALUES, () -> new ValuesPart(channels.toWire(checkpoint.state())));
  }

  private boolean custom(Event event) throws IOException {
    customs.stored(event);
    return false;
  }

  /// Writes what has ended in a superstep that the run has stopped in. A run inside may stop it
  /// again, without anything that has ended.
  private Optional<HeldStop> held(EventView view) throws IOException {
    tasks.drop();
    var superstep = view.event().superstep();
    if (superstep.isEmpty() || view.event().data().has("breakpoint")) {
      return Optional.empty();
    }
    long seq = view.seq().orElseThrow();
    var last =
        queries.stops(run.run(), superstep.get()).stream()
            .filter(it -> it.seq() <= seq)
            .reduce((_, later) -> later);
    if (last.isPresent() && last.get().seq() == seq) {
      for (var end : last.get().ended()) {
        finished(end);
      }
    }
    return last;
  }

  private boolean waiting(EventView view) throws IOException {
    held(view);
    return false;
  }

  private boolean interrupted(EventView view) throws IOException {
    inner.await();
    var stop = held(view);
    var questions = new OpenQuestions(queries, run);
    var interrupts = questions.at(view, stop);
    for (var task : questions.byTask(interrupts).entrySet()) {
      tasks.interrupted(task.getKey(), task.getValue());
    }
    emitter.emit(StreamMode.UPDATES, () -> new InterruptUpdate(interrupts));
    emitter.emit(
        StreamMode.VALUES,
        () -> new ValuesPart(channels.toWire(stopped(view, stop)), Optional.of(interrupts)));
    lifecycle("interrupted");
    return true;
  }

  /// The state with what has ended beside the questions.
  private ObjectValue stopped(EventView view, Optional<HeldStop> stop) {
    return stop.map(it -> queries.stateWithPending(run.run(), Optional.of(it.checkpoint())))
        .or(() -> view.event().superstep().flatMap(this::last).map(CheckpointView::state))
        .orElse(ObjectValue.empty());
  }

  private boolean failed(EventView view) throws IOException {
    inner.await();
    held(view);
    lifecycle("failed");
    var data = view.event().data();
    emitter.outermost(
        new RunError(data.getOr("code", Value.of("error")), data.getOr("message", Value.of(""))));
    return true;
  }

  /// The last state, if the checkpoints of supersteps were not kept.
  private boolean succeeded() throws IOException {
    inner.await();
    if (isIncomplete) {
      emitter.emit(
          StreamMode.VALUES,
          () ->
              new ValuesPart(channels.toWire(queries.state(run.run(), Optional.empty()).state())));
    }
    lifecycle("completed");
    return true;
  }

  private boolean cancelled() throws IOException {
    tasks.drop();
    lifecycle("interrupted");
    return true;
  }

  private void lifecycle(String state) throws IOException {
    emitter.emit(StreamMode.LIFECYCLE, () -> new RunLifecycle(state, emitter.namespace()));
  }

  @Override
  public void live(EventView view) throws IOException {
    var event = view.event();
    if (tasks.isDue(event.superstep().orElse(-1))) {
      tasks.begin();
    }
    switch (event.type()) {
      case "message.delta" -> messages.live(view);
      case CustomEvent.TYPE -> customs.live(event);
      default -> {}
    }
  }

  @Override
  public void history(int era) {
    emitter.history(era);
  }

  /// States that follow replace those that the client has got; clients that do not know the event
  /// pass it over.
  @Override
  public void rewound(String rewound, long through) throws IOException {
    emitter.rewind();
    pieces.rewind();
    customs.forget();
    // 0: it is not known what is valid. The part begins where it did.
    after = through == 0 ? after : Math.min(after, through);
    var part = new StreamRewound(run.id(), through);
    frames.write(part, CheckpointNamespace.ROOT, Optional.empty());
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
