package dev.superstep.run.web;

import dev.superstep.problem.ServiceException;
import dev.superstep.run.EventView;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the events of one run to one reader, on the reader's own thread, until the run comes to
/// the end that was asked for, the reader goes away, or the server stops.
///
/// It holds no database connection while it waits. A reader who is slow holds up nobody: stored
/// events wait in the database, and live ones are dropped beyond [RunFeed#LIVE_MAX].
final class EventStream {
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private final RunFeed feed;
  private final SseWriter sse;
  private final Ending ending;
  private final BooleanSupplier stopping;
  private long seq;

  EventStream(RunFeed feed, SseWriter sse, long after, Ending ending, BooleanSupplier stopping) {
    this.feed = feed;
    this.sse = sse;
    this.ending = ending;
    this.stopping = stopping;
    this.seq = after;
  }

  /// Blocks until the stream is over.
  void writeTo(OutputStream out) {
    try (feed;
        var _ = feed.listen()) {
      follow(out);
    } catch (IOException goneReader) {
      LOG.debug("a reader of events is gone", goneReader);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ServiceException deletedRun) {
      LOG.debug("a stream of events ends: {}", deletedRun.detail());
    } catch (RuntimeException failure) {
      LOG.warn("a stream of events ends early; its reader will reconnect", failure);
    }
  }

  private void follow(OutputStream out) throws IOException, InterruptedException {
    boolean looking = false;
    while (!stopping.getAsBoolean()) {
      // in this order: what is stored when the status is read is in the events read after it
      boolean over = ending.isReached(feed.status());
      var live = feed.live();
      var stored = feed.stored(seq);
      if (stored.isEmpty() && live.isEmpty()) {
        sse.comment(out);
      }
      write(stored, new ArrayDeque<>(live), out);
      out.flush();
      if (RunFeed.isFull(stored)) {
        continue;
      }
      if (over) {
        return;
      }
      if (!looking) {
        looking = true;
        Thread.ofVirtual().name("event-stream").start(feed::look);
      }
      feed.await(HEARTBEAT);
    }
  }

  /// Live events come before the commit of their superstep, like the stored ones they lead to.
  private void write(List<EventView> stored, Queue<EventView> live, OutputStream out)
      throws IOException {
    for (var event : stored) {
      if (event.event().type().equals("superstep.committed")) {
        int committed = event.event().superstep().orElse(Integer.MAX_VALUE);
        while (!live.isEmpty() && live.element().event().superstep().orElse(0) <= committed) {
          sse.write(live.remove(), out);
        }
      }
      sse.write(event, out);
      seq = event.seq().orElse(seq);
    }
    for (var event : live) {
      sse.write(event, out);
    }
  }
}
