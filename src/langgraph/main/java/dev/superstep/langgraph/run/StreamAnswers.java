package dev.superstep.langgraph.run;

import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.thread.ThreadStates;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.stream.EventFilter;
import dev.superstep.run.stream.EventId;
import dev.superstep.run.stream.EventStream.EventStreamEnd;
import dev.superstep.run.stream.EventStream.Wanted;
import dev.superstep.run.stream.EventStreams;
import dev.superstep.run.stream.EventStreams.StreamPermit;
import dev.superstep.run.stream.StreamEnd;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Answers calls with the stream of a run, which begins at any of its events.
@Component
@OnLangGraph
class StreamAnswers {
  private static final Logger log = LoggerFactory.getLogger(StreamAnswers.class);

  /// Clients take three times this, or thirty seconds, for the longest silence.
  static final Duration COMMENTS = Duration.ofSeconds(5);

  /// The second write to a client that left fails.
  private static final Duration PULSE = Duration.ofSeconds(1);

  static final EventFilter ALL = new EventFilter(Set.of(), Set.of());

  private final EventStreams streams;
  private final RunQueries queries;
  private final RunService runs;
  private final GraphMessages graphs;
  private final ThreadStates states;

  StreamAnswers(
      EventStreams streams,
      RunQueries queries,
      RunService runs,
      GraphMessages graphs,
      ThreadStates states) {
    this.states = states;
    this.streams = streams;
    this.queries = queries;
    this.runs = runs;
    this.graphs = graphs;
  }

  /// Reserves room for one more stream; to be closed.
  ///
  /// @throws ServiceException if there is none
  StreamPermit acquire() {
    return streams.acquire();
  }

  /// Receives what is not stored of a run from now on; it need not exist yet.
  static void listen(StreamPermit permit, String run) {
    permit.listen(run, ALL);
  }

  /// A run that is streamed.
  ///
  /// @param now finds what it is by now: a call that has waited for its thread may go on with
  ///   another stored run
  record CalledStream(StreamedRun run, UnaryOperator<StreamedRun> now) {}

  /// Answers with the stream of a run. Returns when it has ended.
  void answer(
      StreamPermit permit,
      CalledStream called,
      StreamRequest request,
      StreamPosition from,
      HttpServletResponse response)
      throws IOException {
    var run = called.run();
    var heartbeat = heartbeat(request.cancels());
    var wanted = new Wanted(after(run, from), ALL, StreamEnd.AT_REST, heartbeat);
    try (var inner = new InnerStreams(permit, queries, graphs, states, request)) {
      var end =
          permit.stream(
              run.run(),
              wanted,
              response,
              out -> frames(run, from, inner.within(new FrameWriter(out, COMMENTS))));
      if (!(end instanceof EventStreamEnd.Gone)) {
        end = behind(permit, called, request, inner.frames(), end);
      }
      if (request.cancels() && end instanceof EventStreamEnd.Gone) {
        cancel(called.now().apply(run).run());
      }
    } catch (ClientLeft gone) {
      log.debug("the client of run {} left", run.id(), gone);
      if (request.cancels()) {
        cancel(called.now().apply(run).run());
      }
    }
  }

  /// How long a client is left without a sign.
  ///
  /// @param cancels whether the run is cancelled when the client leaves
  static Duration heartbeat(boolean cancels) {
    return cancels ? PULSE : COMMENTS;
  }

  private EventId after(StreamedRun run, StreamPosition from) {
    var seen = new EventId(from.era(), from.seq());
    long after = isLost(run.run(), seen) ? from.seq() : from.after();
    return new EventId(from.era(), Math.max(run.after(), after));
  }

  /// Whether an event that a client has seen, or a part of it, is no part of the history any more.
  boolean isLost(String run, EventId seen) {
    return seen.era() != 0
        && seen.era() < queries.era()
        && queries.validThrough(run, seen.era()) < seen.seq();
  }

  /// What comes behind the wait of a call that goes on with another run.
  private EventStreamEnd behind(
      StreamPermit permit,
      CalledStream called,
      StreamRequest request,
      Frames frames,
      EventStreamEnd end) {
    var now = called.now().apply(called.run());
    return now.run().equals(called.run().run())
        ? end
        : follow(permit, now, new EventId(0, now.after()), request, frames);
  }

  private RunFrames frames(StreamedRun run, StreamPosition from, InnerStreams answer) {
    var emitter = answer.emitter(CheckpointNamespace.ROOT, from);
    try {
      emitter.history(queries.era());
      RunFrames.begin(run, emitter);
      // Before anything is read: the client takes the id of the run from the headers.
      answer.frames().flush();
      var frames = answer.write(run, queries.summary(run.run()).origin(), emitter);
      if (run.done()) {
        frames.rest();
      }
      return frames;
    } catch (IOException e) {
      throw new ClientLeft(e);
    }
  }

  /// Writes a run into an answer that goes on, up to where it stops.
  ///
  /// @param after the last event that the client has got
  /// @param frames are not closed
  EventStreamEnd follow(
      StreamPermit permit, StreamedRun run, EventId after, StreamRequest request, Frames frames) {
    try (var inner = new InnerStreams(permit, queries, graphs, states, request)) {
      var origin = queries.summary(run.run()).origin();
      var emitter = inner.within(frames).emitter(CheckpointNamespace.ROOT, StreamPosition.BEGIN);
      var written = inner.write(run, origin, emitter);
      if (run.done()) {
        emitter.history(queries.era());
        written.rest();
      }
      var sink = frames.watched(written, CheckpointNamespace.ROOT, origin.graph());
      var wanted = new Wanted(after, ALL, StreamEnd.AT_REST, COMMENTS);
      return permit.follow(run.run(), wanted, sink, () -> false);
    } catch (IOException e) {
      return new EventStreamEnd.Gone();
    }
  }

  /// The position of a client that wants what comes from now on.
  StreamPosition now(StreamedRun run) {
    return StreamPosition.behind(Math.max(run.after(), queries.lastEvent(run.run())));
  }

  /// Of a client that has left.
  void cancel(String run) {
    try {
      if (!queries.summary(run).status().atRest()) {
        runs.cancel(run);
      }
    } catch (ServiceException over) {
      log.debug("the client of run {} left, and there was nothing to cancel", run, over);
    } catch (DataAccessException | TransactionException e) {
      log.warn("Run {} continues: its client left, and it could not be cancelled", run, e);
    }
  }

  /// The client left before the stream began.
  private static final class ClientLeft extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClientLeft(IOException cause) {
      super(cause);
    }
  }
}
