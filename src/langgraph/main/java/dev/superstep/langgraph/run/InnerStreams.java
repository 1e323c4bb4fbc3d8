package dev.superstep.langgraph.run;

import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.run.InnerRuns.InnerRun;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.stream.EventStream.Wanted;
import dev.superstep.run.stream.EventStreams.StreamPermit;
import dev.superstep.run.stream.StreamEnd;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The streams of the runs inside one that is streamed, which share its answer. What they write has
/// no ids: a client that comes again gets it from where its outer run is.
final class InnerStreams implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(InnerStreams.class);

  private final StreamPermit permit;
  private final RunQueries queries;
  private final GraphMessages graphs;
  private final ThreadStates states;
  private final StreamRequest request;
  private final AtomicBoolean closed = new AtomicBoolean();
  private Frames frames = new FrameWriter(OutputStream.nullOutputStream(), StreamAnswers.COMMENTS);

  InnerStreams(
      StreamPermit permit,
      RunQueries queries,
      GraphMessages graphs,
      ThreadStates states,
      StreamRequest request) {
    this.states = states;
    this.permit = permit;
    this.queries = queries;
    this.graphs = graphs;
    this.request = request;
  }

  /// Writes into this answer.
  InnerStreams within(Frames answer) {
    frames = answer;
    return this;
  }

  Frames frames() {
    return frames;
  }

  Emitter emitter(CheckpointNamespace namespace, StreamPosition from) {
    return new Emitter(frames, request.modes(), namespace, from);
  }

  /// Writes a run, and the runs inside it.
  RunFrames write(StreamedRun run, RunSummary.Origin origin, Emitter emitter) {
    var channels = graphs.of(origin.graph(), origin.version());
    var namespace = emitter.namespace();
    var inner =
        request.subgraphs()
            ? Optional.<Consumer<InnerRun>>of(it -> follow(run, it, namespace))
            : Optional.<Consumer<InnerRun>>empty();
    return new RunFrames(run, queries, states, channels, emitter, new InnerRuns(inner));
  }

  private void follow(StreamedRun outer, InnerRun inner, CheckpointNamespace namespace) {
    var inside = namespace.inside(CheckpointNamespace.of(outer.run(), inner.task()));
    try {
      var origin = queries.summary(inner.run()).origin();
      var run =
          new StreamedRun(
              outer.id(),
              outer.thread(),
              outer.assistant(),
              inner.run(),
              inner.after(),
              Optional.empty(),
              false);
      var wanted =
          new Wanted(inner.after(), StreamAnswers.ALL, StreamEnd.AT_REST, StreamAnswers.COMMENTS);
      var written = write(run, origin, emitter(inside, StreamPosition.BEGIN));
      var sink = frames.watched(written, inside, origin.graph());
      permit.follow(inner.run(), wanted, sink, closed::get);
    } catch (ServiceException gone) {
      log.debug("run {} inside run {} is not streamed", inner.run(), outer.run(), gone);
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
