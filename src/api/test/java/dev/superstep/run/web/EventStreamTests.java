package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.TextHead;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import dev.superstep.json.ValueModule;
import dev.superstep.run.EventView;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunWatch;
import dev.superstep.run.stream.CommitReader;
import dev.superstep.run.stream.EventFilter;
import dev.superstep.run.stream.EventStream;
import dev.superstep.run.stream.RunFeed;
import dev.superstep.run.stream.StreamClosed;
import dev.superstep.run.stream.StreamEnd;
import dev.superstep.state.value.ObjectValue;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// A reader who comes late to a run that has a long history and is still speaking. The history is
/// read page by page; with each page comes a word of the superstep that goes on.
class EventStreamTests {
  private static final int PAGES = 50;
  private static final int PAGE = 200;
  private static final int LAST = PAGES * PAGE;
  private static final String WORD = "x".repeat(1_000);

  private final Speaking run = new Speaking();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private EventStream.EventStreamEnd read(long bytesMax) {
    var filter = new EventFilter(Set.of(), Set.of());
    var feed = new RunFeed("r", new RunFeed.Source(run.queries(), run), filter, bytesMax);
    feed.listen();
    var wanted = new EventStream.Wanted(0, filter, StreamEnd.AT_REST, Duration.ofMillis(10));
    var json = JsonMapper.builder().addModule(new ValueModule()).build();
    var commits = new CommitReader(run.queries());
    var sink = new SseWriter(json, InstantSource.system(), commits, Set.of(), out);
    try (feed) {
      return new EventStream(feed, wanted, run::stop).writeTo(sink);
    }
  }

  private long count(String type) {
    var written = out.toString(StandardCharsets.UTF_8);
    return Pattern.compile("event: " + Pattern.quote(type)).matcher(written).results().count();
  }

  /// What waits for a reader is bounded while it reads what is stored, too.
  @Test
  void cutsOffAReaderForWhomTooMuchWaitsBehindALongHistory() {
    var end = read(20_000);

    assertThat(end).isEqualTo(new EventStream.EventStreamEnd.Broken(StreamClosed.SLOW_READER));
    assertThat(count("superstep.committed")).isEqualTo(LAST);
    assertThat(count(MessageDelta.TYPE)).isZero();
  }

  @Test
  void tellsWhatWasSaidMeanwhileInOnePieceBehindTheHistory() {
    var end = read(100_000);

    assertThat(end).isEqualTo(new EventStream.EventStreamEnd.Broken(StreamClosed.STOPPING));
    assertThat(count("superstep.committed")).isEqualTo(LAST);
    assertThat(count(MessageDelta.TYPE)).isOne();
    assertThat(out.toString(StandardCharsets.UTF_8).contains(WORD.repeat(PAGES))).isTrue();
  }

  /// A run that has committed so many supersteps, and speaks whenever it is looked at.
  private static final class Speaking implements RunWatch {
    private Consumer<EventView> listener = _ -> {};
    private long offset;
    private int looks;
    private final CountDownLatch closed = new CountDownLatch(1);

    RunQueries queries() {
      return (RunQueries)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {RunQueries.class},
              (_, method, arguments) ->
                  switch (method.getName()) {
                    case "summary" -> summary();
                    case "era" -> 1;
                    case "events" -> events((long) arguments[1]);
                    default -> throw new UnsupportedOperationException(method.getName());
                  });
    }

    private static RunSummary summary() {
      var origin =
          new RunSummary.Origin(
              "r",
              "g",
              1,
              Optional.empty(),
              Map.of(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty());
      var standing =
          new RunSummary.Standing(
              RunStatus.RUNNING, LAST, LAST, Optional.empty(), Optional.empty());
      var settings = new RunSummary.Settings(Limits.NONE, 0);
      var none = Optional.<Instant>empty();
      return new RunSummary(
          origin, standing, settings, new RunSummary.Times(Instant.EPOCH, none, none, none));
    }

    private List<EventView> events(long after) {
      if (after < LAST) {
        say();
      } else {
        looks++;
      }
      return LongStream.rangeClosed(after + 1, Math.min(LAST, after + PAGE))
          .mapToObj(Speaking::committed)
          .toList();
    }

    private void say() {
      var delta = MessageDelta.next(new TextHead(1, "", Optional.empty()), offset, WORD);
      offset = delta.end();
      var task = new TaskKey(LAST + 1, new NodeId("a"), null);
      var event = Event.of(MessageDelta.TYPE, task, delta.data());
      listener.accept(new EventView(Optional.empty(), "r", Instant.EPOCH, event));
    }

    private static EventView committed(long superstep) {
      var event = Event.of("superstep.committed", (int) superstep, ObjectValue.empty());
      return new EventView(Optional.of(superstep), "r", Instant.EPOCH, event);
    }

    /// The reader has seen what there was, and the words that waited for it.
    Optional<StreamClosed> stop() {
      return looks > 2 ? Optional.of(StreamClosed.STOPPING) : Optional.empty();
    }

    @Override
    public Subscription listen(String run, Consumer<EventView> listener) {
      this.listener = listener;
      return new Subscription() {
        @Override
        public void renew() {
          looks++; // once per round of a stream that follows
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Subscription keepTexts(String run) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void awaitRest(String run, BooleanSupplier unwanted, Duration atMost) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void awaitEvents(String run, long seq, BooleanSupplier unwanted, Duration atMost)
        throws InterruptedException {
      closed.await();
    }

    @Override
    public void lookAgain(String run) {
      closed.countDown();
    }
  }
}
