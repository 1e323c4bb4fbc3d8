package dev.superstep.langgraph.run;

import dev.superstep.database.HistoryChanged;
import dev.superstep.database.OwnThings;
import dev.superstep.http.RequestBytes;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.ThreadParts.ThreadPart;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.stream.EventId;
import dev.superstep.run.stream.EventStream.EventStreamEnd;
import dev.superstep.run.stream.EventStreams.StreamPermit;
import dev.superstep.run.stream.StreamClosed;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/// Writes the runs of a thread one behind the other, and waits for more. It holds no database
/// connection while it waits.
@Component
@OnLangGraph
class ThreadStreamer {
  private static final Logger log = LoggerFactory.getLogger(ThreadStreamer.class);

  private final StreamAnswers answers;
  private final ThreadQueries threads;
  private final ThreadParts parts;
  private final ThreadListeners listeners;
  private final OwnThings things;
  private final HttpServletRequest current;

  /// The history of the database, if this process has seen it change.
  private volatile int history;

  /// @param current stands for the request that is served
  ThreadStreamer(
      StreamAnswers answers,
      ThreadQueries threads,
      ThreadParts parts,
      ThreadListeners listeners,
      OwnThings things,
      HttpServletRequest current) {
    this.things = things;
    this.answers = answers;
    this.threads = threads;
    this.parts = parts;
    this.listeners = listeners;
    this.current = current;
  }

  @EventListener
  void rewind(HistoryChanged changed) {
    history = changed.era();
  }

  /// Returns when the client has left, or is to come again.
  ///
  /// @throws ServiceException `thread_not_found`
  void answer(String thread, ThreadSubscription wanted, HttpServletResponse response)
      throws IOException {
    threads.summary(thread);
    try (var permit = answers.acquire();
        var listener = listeners.listen(thread)) {
      RequestBytes.forget(current);
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
      response.setHeader("X-Accel-Buffering", "no");
      var writer = new ProtocolWriter(response.getOutputStream(), wanted);
      writer.comment();
      writer.flush();
      new Following(thread, permit, writer).until(listener);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// One answer.
  private final class Following {
    private final String thread;
    private final StreamPermit permit;
    private final ProtocolWriter writer;
    private long ordinal;
    private long seq;

    /// The history in which that is.
    private int era;

    /// Where a superstep is to be written from, for what is inside it.
    private Optional<EventNumber> resumed;

    /// The last event that the client has got, if that is no part of the history any more.
    private Optional<EventId> lost = Optional.empty();

    Following(String thread, StreamPermit permit, ProtocolWriter writer) {
      this.thread = thread;
      this.permit = permit;
      this.writer = writer;
      this.era = parts.era();
      this.resumed = writer.wanted().since().map(it -> EventNumber.of(it, era));
      if (resumed.isPresent()) {
        var at = resumed.get();
        ordinal = at.ordinal();
        seq = at.isLast() ? at.seq() : Math.max(0, at.seq() - 1);
        goBack(new EventId(at.era(), at.seq()));
      } else {
        ordinal = parts.newest(thread).map(ThreadPart::ordinal).orElse(0L);
      }
    }

    /// The database may have gone back behind what the client has got.
    private void goBack(EventId got) {
      var part = parts.newestUpTo(thread, ordinal);
      if (part.isEmpty()) {
        return;
      }
      // A run before the one that the client knows: that one is lost, and perhaps the end of this.
      var seen = part.get().ordinal() == ordinal ? got : new EventId(got.era(), Long.MAX_VALUE);
      if (answers.isLost(part.get().run(), seen)) {
        lost = Optional.of(seen);
        resumed = Optional.empty();
        ordinal = part.get().ordinal();
        seq = 0;
        writer.forget();
      }
    }

    /// While no run is followed, whose stream would notice it.
    private boolean goBackIfChanged() {
      int now = history;
      if (now <= era) {
        return false;
      }
      goBack(new EventId(era, seq));
      era = now;
      return true;
    }

    /// Ends, too, at a run that is not within reach of the caller.
    void until(ThreadListeners.Listener listener) throws IOException, InterruptedException {
      boolean mayHaveMore = true;
      while (!permit.isStopping()) {
        mayHaveMore |= goBackIfChanged();
        var part = mayHaveMore ? parts.behind(thread, ordinal, seq) : Optional.<ThreadPart>empty();
        if (part.isEmpty()) {
          mayHaveMore = listener.await(ordinal, seq);
          writer.flush();
        } else if (!things.reachesRun(part.get().run()) || !follow(part.get())) {
          return;
        }
      }
    }

    /// @return whether the answer goes on
    private boolean follow(ThreadPart part) {
      long after = part.ordinal() == ordinal ? seq : 0;
      var frames = new ProtocolFrames(writer, part.ordinal(), after);
      var run =
          new StreamedRun(
              part.run(), thread, "", part.run(), from(part, after), Optional.empty(), false);
      var end = end(run, lost.orElse(new EventId(0, run.after())), frames);
      lost = Optional.empty();
      era = Math.max(era, frames.era());
      ordinal = part.ordinal();
      // Events that are kept no more are not waited for.
      seq = frames.seq() > after ? frames.seq() : part.end();
      return switch (end) {
        case EventStreamEnd.Over _ -> true;
        case EventStreamEnd.Gone _ -> false;
        case EventStreamEnd.Broken(var cut) -> cut == StreamClosed.DELETED;
      };
    }

    private EventStreamEnd end(StreamedRun run, EventId after, ProtocolFrames frames) {
      try {
        return answers.follow(permit, run, after, writer.wanted().request(), frames);
      } catch (ServiceException e) {
        log.debug("run {} is not written into the stream of its thread", run.id(), e);
        return new EventStreamEnd.Broken(
            e.isOverCost() ? StreamClosed.UNAVAILABLE : StreamClosed.DELETED);
      }
    }

    private long from(ThreadPart part, long after) {
      var at = resumed.filter(it -> it.ordinal() == part.ordinal() && !it.isLast());
      resumed = Optional.empty();
      return at.map(it -> Math.max(0, parts.superstep(part.run(), it.seq()) - 1)).orElse(after);
    }
  }
}
