package dev.superstep.run.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.engine.run.Event;
import dev.superstep.run.EventView;
import dev.superstep.run.stream.CommitReader;
import dev.superstep.run.stream.EventId;
import dev.superstep.run.stream.EventSink;
import dev.superstep.run.stream.StreamClosed;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/// Writes events as server-sent events.
final class SseWriter implements EventSink {
  private final JsonMapper json;
  private final InstantSource clock;
  private final CommitReader commits;
  private final Set<Contents> with;
  private final OutputStream out;
  private int era;

  /// @param with contents added to each commit
  SseWriter(
      JsonMapper json,
      InstantSource clock,
      CommitReader commits,
      Set<Contents> with,
      OutputStream out) {
    this.json = json;
    this.clock = clock;
    this.commits = commits;
    this.with = Set.copyOf(with);
    this.out = out;
  }

  @Override
  public boolean stored(EventView event) throws IOException {
    var body = EventBody.of(event);
    write(with.isEmpty() ? body : commits.find(event).map(it -> body.with(it, with)).orElse(body));
    return false;
  }

  @Override
  public void live(EventView event) throws IOException {
    write(EventBody.of(event));
  }

  @Override
  public void cut(String run, StreamClosed reason) throws IOException {
    var event = new EventView(Optional.empty(), run, clock.instant(), reason.event());
    write(EventBody.of(event));
  }

  @Override
  public void history(int number) {
    era = number;
  }

  @Override
  public void rewound(String run, long through) throws IOException {
    var data = ObjectValue.of("valid_through", Value.of(through)).plus("era", Value.of((long) era));
    var event = new EventView(Optional.empty(), run, clock.instant(), Event.of("rewound", data));
    write("id: %s\n%s".formatted(id(through), text(EventBody.of(event))));
  }

  private String id(long seq) {
    return new EventId(era, seq).text();
  }

  /// JSON has no line breaks, so one `data:` line is enough.
  private void write(EventBody event) throws IOException {
    write(event.seq() == null ? text(event) : "id: " + id(event.seq()) + "\n" + text(event));
  }

  private String text(EventBody event) {
    return "event: %s\ndata: %s\n\n".formatted(event.type(), json.writeValueAsString(event));
  }

  /// Moves the client's last id to an event that it has filtered out: it reconnects behind that.
  /// Without data no event reaches it.
  @Override
  public void position(long seq) throws IOException {
    write("id: %s\n\n".formatted(id(seq)));
  }

  @Override
  public void comment() throws IOException {
    write(":\n\n");
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(UTF_8));
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
