package dev.superstep.run.stream;

import dev.superstep.compute.RequestWork;
import dev.superstep.database.HistoryChanged;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.EventView;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunWatch;
import dev.superstep.run.check.QuotaBounds;
import dev.superstep.run.check.QuotaHolder;
import dev.superstep.run.check.QuotaKind;
import dev.superstep.run.stream.EventStream.EventStreamEnd;
import dev.superstep.run.stream.EventStream.Wanted;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/// Opens a bounded number of event streams, and ends them all when the server stops: a shutdown
/// that waits for open requests would wait for these.
@Component
public class EventStreams {
  private static final int PAGE = 200;

  private final RunFeed.Source source;
  private final StreamSettings settings;
  private final MeterRegistry meters;
  private final Semaphore room;
  private final Callers callers;
  private final QuotaBounds bounds;
  private final ConcurrentHashMap<QuotaHolder, Integer> byHolder = new ConcurrentHashMap<>();
  private final Set<RunFeed> open = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean stopping = new AtomicBoolean();

  EventStreams(
      RunQueries queries,
      RunWatch watch,
      StreamSettings settings,
      MeterRegistry meters,
      Callers callers,
      QuotaBounds bounds) {
    this.source = new RunFeed.Source(queries, watch);
    this.settings = settings;
    this.meters = meters;
    this.callers = callers;
    this.bounds = bounds;
    this.room = new Semaphore(settings.max());
    meters.gauge(
        "superstep.streams.open", room, it -> settings.max() - (double) it.availablePermits());
  }

  /// Reads what a call requests.
  ///
  /// @param after the event that the client saw last; 0: none
  public Wanted wanted(EventId after, Query query) {
    var streamEnd = query.flag("follow").orElse(false) ? StreamEnd.FOLLOW : StreamEnd.AT_REST;
    return new Wanted(after, EventFilter.of(query), streamEnd, settings.heartbeat());
  }

  /// Whether a client that has seen the event `after` has seen all events it will ever get.
  public boolean isOver(String run, Wanted wanted) {
    if (!wanted.end().isReached(source.queries().summary(run).status())) {
      return false;
    }
    if (isRewound(run, wanted.after())) {
      return false;
    }
    long after = wanted.after().seq();
    var piece = RequestWork.current().piece();
    for (var page = page(run, after); !page.isEmpty(); page = page(run, after)) {
      piece.next();
      if (page.stream().anyMatch(it -> wanted.filter().accepts(it.event()))) {
        return false;
      }
      after = page.getLast().seq().orElse(Long.MAX_VALUE);
    }
    return true;
  }

  private boolean isRewound(String run, EventId last) {
    var queries = source.queries();
    return last.era() != 0
        && last.era() < queries.era()
        && queries.validThrough(run, last.era()) < last.seq();
  }

  private List<EventView> page(String run, long after) {
    return source.queries().events(run, after, Set.of(), PAGE);
  }

  /// Reserves room for one more stream; to be closed.
  ///
  /// @throws ServiceException if there is none
  public StreamPermit acquire() {
    var holders = count(new Share(Tenant.current().name(), callers.current()));
    if (!room.tryAcquire()) {
      holders.forEach(this::release);
      throw new ServiceException(
          ErrorCode.OVERLOADED,
          "this replica has %d streams open and takes no more".formatted(settings.max()));
    }
    return new StreamPermit(holders);
  }

  /// @return to whom one more stream is counted
  private List<QuotaHolder> count(Share share) {
    var holders = new ArrayList<QuotaHolder>();
    for (var bound : bounds.of(QuotaKind.STREAMS, share)) {
      var holder = bound.holder();
      holders.add(holder);
      if (byHolder.merge(holder, 1, Integer::sum) > bound.max()) {
        holders.forEach(this::release);
        throw new ServiceException(
            ErrorCode.STREAM_QUOTA_EXCEEDED,
            "%s has %d streams open at this replica, which is all it may have (%s); close some"
                .formatted(holder.noun(), bound.max(), bound.property()));
      }
    }
    return holders;
  }

  private void release(QuotaHolder holder) {
    byHolder.computeIfPresent(holder, (_, streams) -> streams == 1 ? null : streams - 1);
  }

  /// Room for one stream.
  public final class StreamPermit implements AutoCloseable {
    private final List<QuotaHolder> holders;
    private @Nullable RunFeed feed;
    private final Set<RunFeed> innerFeeds = ConcurrentHashMap.newKeySet();
    private final BooleanSupplier keyEnded = callers.ended();

    private StreamPermit(List<QuotaHolder> holders) {
      this.holders = holders;
    }

    /// Receives live events of a run from now on; it need not exist yet.
    public RunFeed listen(String run, EventFilter filter) {
      var before = feed;
      if (before != null) {
        before.close();
      }
      var begun = new RunFeed(run, source, filter, settings.pendingMax().toBytes());
      begun.listen();
      feed = begun;
      return begun;
    }

    /// Answers with the stream. Returns when it has ended.
    ///
    /// @param format makes the sink that writes into the answer
    public EventStreamEnd stream(
        String run,
        Wanted wanted,
        HttpServletResponse response,
        Function<OutputStream, EventSink> format)
        throws IOException {
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
      response.setHeader("X-Accel-Buffering", "no");
      var begun = feed;
      var mine = begun == null ? listen(run, wanted.filter()) : begun;
      open.add(mine);
      var end =
          new EventStream(mine, wanted, this::stop)
              .writeTo(format.apply(response.getOutputStream()));
      if (end instanceof EventStreamEnd.Broken(var streamClosed)) {
        meters.counter("superstep.streams.cut", "reason", streamClosed.reason()).increment();
      }
      return end;
    }

    /// Writes another run into the same answer, on the thread of the caller.
    ///
    /// @param over whether the answer is complete, after [#wakeInner]
    public EventStreamEnd follow(String run, Wanted wanted, EventSink sink, BooleanSupplier over) {
      try (var inner = new RunFeed(run, source, wanted.filter(), settings.pendingMax().toBytes())) {
        inner.listen();
        open.add(inner);
        innerFeeds.add(inner);
        return new EventStream(
                inner,
                wanted,
                () -> over.getAsBoolean() ? Optional.of(StreamClosed.STOPPING) : stop())
            .writeTo(sink);
      } finally {
        innerFeeds.removeIf(RunFeed::isClosed);
        open.removeIf(RunFeed::isClosed);
      }
    }

    private Optional<StreamClosed> stop() {
      if (stopping.get()) {
        return Optional.of(StreamClosed.STOPPING);
      }
      return keyEnded.getAsBoolean() ? Optional.of(StreamClosed.KEY_ENDED) : Optional.empty();
    }

    /// Whether the server stops or the caller's key has ended, so that the answer is to end.
    public boolean isStopping() {
      return stop().isPresent();
    }

    /// Has all that [#follow] writes check whether it is over, and returns when it is.
    public void wakeInner() {
      innerFeeds.forEach(RunFeed::wake);
    }

    @Override
    public void close() {
      var mine = feed;
      if (mine != null) {
        open.remove(mine);
        mine.close();
      }
      room.release();
      holders.forEach(EventStreams.this::release);
    }
  }

  /// Clients hear of it with what they get next.
  @EventListener
  void rewind(HistoryChanged changed) {
    open.forEach(it -> it.changed(changed.era()));
  }

  @EventListener
  void stop(ContextClosedEvent closed) {
    stopping.set(true);
    open.forEach(RunFeed::wake);
  }
}
