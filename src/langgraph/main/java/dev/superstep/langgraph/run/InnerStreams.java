package dev.superstep.langgraph.run;

import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.run.RunFrames.Writers;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.stream.EventFilter;
import dev.superstep.run.stream.EventStream.Wanted;
import dev.superstep.run.stream.EventStreams.StreamPermit;
import dev.superstep.run.stream.StreamEnd;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The streams of the runs inside one that is streamed, which share its answer. What they write has
/// no ids: a client that comes again gets it from where its outer run is.
final class InnerStreams implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(InnerStreams.class);
  private static final Duration COMMENTS = Duration.ofSeconds(5);
  private static final EventFilter ALL = new EventFilter(Set.of(), Set.of());

  private final StreamPermit permit;
  private final RunQueries queries;
  private final GraphMessages wires;
  private final ThreadStates states;
  private final StreamRequest request;
  private final AtomicBoolean closed = new AtomicBoolean();
  private Frames frames = new FrameWriter(OutputStream.nullOutputStream(), COMMENTS);

  InnerStreams(
      StreamPermit permit,
      RunQueries queries,
      GraphMessages wires,
      ThreadStates states,
      StreamRequest request) {
    this.states = states;
    this.permit = permit;
    this.queries = queries;
    this.wires = wires;
    this.request = request;
  }

  /// Writes into this answer.
  InnerStreams within(OutputStream out) {
    return within(new FrameWriter(out, COMMENTS));
  }

  InnerStreams within(Frames answer) {
    frames = answer;
    return this;
  }

  Frames frames() {
    return frames;
  }

  /// The runs inside `run`.
  InnerRuns of(StreamedRun run, CheckpointNamespace namespace) {
    return new InnerRuns(
        request.subgraphs()
            ? Optional.of(
                (inner, task, after) -> follow(new InnerPart(run, task, after), inner, namespace))
            : Optional.empty());
  }

  /// @param task of `outer` that waits for the run
  /// @param after the `seq` behind which the events of that are
  private record InnerPart(StreamedRun outer, TaskKey task, long after) {}

  private void follow(InnerPart part, String id, CheckpointNamespace namespace) {
    var outer = part.outer();
    var task = part.task();
    var inside = namespace.inside(CheckpointNamespace.of(outer.run(), task));
    try {
      var summary = queries.summary(id);
      var channels = wires.of(summary.origin().graph(), summary.origin().version());
      var run =
          new StreamedRun(
              outer.id(),
              outer.thread(),
              outer.assistant(),
              id,
              part.after(),
              Optional.empty(),
              false);
      var pieces = new MessagePieces(StreamPosition.BEGIN);
      var emitter = new Emitter(frames, request.modes(), inside, StreamPosition.BEGIN, pieces);
      var writers = new Writers(channels, states, emitter, pieces, of(run, inside));
      var wanted = new Wanted(part.after(), ALL, StreamEnd.AT_REST, COMMENTS);
      var sink =
          frames.watched(
              new RunFrames(run, queries, frames, writers), inside, summary.origin().graph());
      permit.follow(id, wanted, sink, closed::get);
    } catch (ServiceException gone) {
      log.debug("run {} inside run {} is not streamed", id, outer.run(), gone);
    }
  }

  /// Ends those that are still written: the answer is complete.
  @Override
  public void close() {
    closed.set(true);
    frames.close();
    permit.wakeInner();
  }
}
