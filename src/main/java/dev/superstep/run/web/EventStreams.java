package dev.superstep.run.web;

import dev.superstep.run.RunQueries;
import dev.superstep.run.RunWatch;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/// Opens streams of events, and ends them all when the server stops: a shutdown that waits for open
/// requests would wait for these.
@Component
class EventStreams {
  private final RunQueries queries;
  private final RunWatch watch;
  private final JsonMapper json;
  private final AtomicBoolean stopping = new AtomicBoolean();

  EventStreams(RunQueries queries, RunWatch watch, JsonMapper json) {
    this.queries = queries;
    this.watch = watch;
    this.json = json;
  }

  /// Whether a client that has seen the event `after` has seen all there will be.
  boolean isOver(String run, long after, Ending ending) {
    return ending.isReached(queries.summary(run).status())
        && queries.events(run, after, Set.of(), 1).isEmpty();
  }

  /// A stream of what comes behind the event `after`.
  ///
  /// @throws dev.superstep.problem.ServiceException if there is no such run
  EventStream open(String run, long after, Ending ending) {
    queries.summary(run);
    return new EventStream(
        new RunFeed(run, queries, watch), new SseWriter(json), after, ending, stopping::get);
  }

  @EventListener
  void stop(ContextClosedEvent closed) {
    stopping.set(true);
  }
}
