package dev.superstep.run.stream;

import dev.superstep.compute.RequestWork;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.EventView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/// Writes the events of one run to one client, on the client's own thread, until the run comes to
/// the requested end, the client leaves or is too slow, its key ends, or the server stops.
///
/// It holds no database connection while it waits. A slow client blocks no other thread: stored
/// events wait in the database, and the buffer for live ones is bounded.
public final class EventStream {
  private static final Logger log = LoggerFactory.getLogger(EventStream.class);

  /// How long the end of a key, of which nobody tells, may go unnoticed where nothing happens.
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final RunFeed feed;
  private final Wanted wanted;
  private final Supplier<Optional<StreamClosed>> stop;
  private PendingEvents pending = new PendingEvents();

  /// How long nothing was written.
  private Duration silent = Duration.ZERO;

  /// What has been written is held no more.
  private final RequestWork.WorkPiece piece = RequestWork.current().piece();

  private long seq;
  private long sentThrough;
  private int era;

  /// The request of the client.
  ///
  /// @param after the event behind which to begin
  /// @param heartbeat how often to write something
  public record Wanted(EventId after, EventFilter filter, StreamEnd end, Duration heartbeat) {
    public Wanted(long after, EventFilter filter, StreamEnd end, Duration heartbeat) {
      this(EventId.of(after), filter, end, heartbeat);
    }
  }

  /// How a stream ended.
  public sealed interface EventStreamEnd {
    /// The run came to the requested end.
    record Over() implements EventStreamEnd {}

    /// The client has left.
    record Gone() implements EventStreamEnd {}

    /// The client was asked to reconnect.
    record Broken(StreamClosed cut) implements EventStreamEnd {}
  }

  /// @param stop why the stream is to end now, if so
  public EventStream(RunFeed feed, Wanted wanted, Supplier<Optional<StreamClosed>> stop) {
    this.feed = feed;
    this.wanted = wanted;
    this.stop = stop;
    this.seq = wanted.after().seq();
    this.sentThrough = seq;
    this.era = wanted.after().era();
  }

  /// Blocks until the stream is over.
  public EventStreamEnd writeTo(EventSink sse) {
    try {
      var cut = follow(sse);
      if (cut.isPresent()) {
        return cut(cut.get(), sse);
      }
      sse.flush();
      return new EventStreamEnd.Over();
    } catch (IOException goneReader) {
      log.debug("the client of an event stream left", goneReader);
      return new EventStreamEnd.Gone();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return cut(StreamClosed.STOPPING, sse);
    } catch (ServiceException refused) {
      log.debug("a stream of events ends: {}", refused.detail());
      boolean deleted = refused.code().status() == HttpStatus.NOT_FOUND;
      return cut(deleted ? StreamClosed.DELETED : StreamClosed.UNAVAILABLE, sse);
    } catch (RuntimeException failure) {
      log.warn("a stream of events ends early; its client will reconnect", failure);
      return cut(StreamClosed.UNAVAILABLE, sse);
    }
  }

  private EventStreamEnd cut(StreamClosed streamClosed, EventSink sse) {
    try {
      sse.cut(feed.run(), streamClosed);
      sse.flush();
    } catch (IOException goneReader) {
      log.debug("the client of an event stream left", goneReader);
    }
    return new EventStreamEnd.Broken(streamClosed);
  }

  /// @return why it ended early
  private Optional<StreamClosed> follow(EventSink sse) throws IOException, InterruptedException {
    sse.comment();
    if (catchUp(sse)) {
      return Optional.empty();
    }
    Thread.ofVirtual().name("event-stream").start(feed::poll);
    for (var why = stop.get(); true; why = stop.get()) {
      if (why.isPresent()) {
        return why;
      }
      sse.flush();
      var atMost = pending.isEmpty() ? look() : Duration.ZERO;
      var readyEvents = feed.await(atMost);
      if (readyEvents.overrun()) {
        return Optional.of(StreamClosed.SLOW_READER);
      }
      take(readyEvents, atMost, sse);
      if ((readyEvents.stored() || pending.isAhead()) && catchUp(sse)) {
        return Optional.empty();
      }
      write(pending.ready(), sse);
      if (silent.isZero()) {
        feed.renew();
      }
    }
  }

  /// How long to wait before it is asked again whether the stream is to end.
  private Duration look() {
    var left = wanted.heartbeat().minus(silent);
    return left.compareTo(LOOK) < 0 ? left : LOOK;
  }

  private void take(RunFeed.ReadyEvents readyEvents, Duration waited, EventSink sse)
      throws IOException {
    pending.add(readyEvents.live());
    silent = readyEvents.isNothing() && pending.isEmpty() ? silent.plus(waited) : Duration.ZERO;
    if (silent.compareTo(wanted.heartbeat()) >= 0) {
      sse.comment();
      silent = Duration.ZERO;
    }
  }

  /// Writes the stored events.
  ///
  /// @return whether that was all of them
  private boolean catchUp(EventSink sse) throws IOException {
    while (true) {
      rewind(sse);
      pending.catchUp();
      // in this order: what is stored when the status is read is in the events read after it, and
      // live events that led to a commit are in the queue when the commit can be read
      boolean over = wanted.end().isReached(feed.head().status());
      var stored = feed.stored(seq);
      pending.add(feed.live(PendingEvents.reach(stored)));
      for (var event : stored) {
        write(pending.before(event), sse);
        if (write(event, sse)) {
          return true;
        }
        piece.next();
      }
      if (sentThrough < seq) {
        sse.position(seq);
        sentThrough = seq;
      }
      // an end that came between the status and the events: the status has changed by now
      boolean ended = stored.stream().anyMatch(PendingEvents::isEnd);
      if (!RunFeed.isFull(stored) && (over || !ended)) {
        return over;
      }
      sse.flush();
    }
  }

  /// Goes back with the database: what was sent in an earlier history may not be there any more.
  private void rewind(EventSink sse) throws IOException {
    int now = feed.era();
    if (now == era) {
      return;
    }
    sse.history(now);
    long through = era == 0 || era > now ? seq : feed.validThrough(era);
    era = now;
    if (through < seq) {
      seq = through;
      sentThrough = through;
      pending = new PendingEvents();
      sse.rewound(feed.run(), through);
    }
  }

  /// @return whether the client gets no more events
  private boolean write(EventView stored, EventSink sse) throws IOException {
    seq = stored.seq().orElse(seq);
    if (!wanted.filter().accepts(stored.event())) {
      return false;
    }
    sentThrough = seq;
    return sse.stored(stored);
  }

  private static void write(List<EventView> live, EventSink sse) throws IOException {
    for (var event : live) {
      sse.live(event);
    }
  }
}
