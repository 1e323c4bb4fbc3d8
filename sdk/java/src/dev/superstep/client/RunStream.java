package dev.superstep.client;

import dev.superstep.client.model.RunEvent;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;

/// The events of a run until it is at rest, for one reader. A connection that breaks is made again
/// behind the last stored event; live events, which have no `seq`, may be lost meanwhile.
/// Closing it closes the connection, and leaves the run alone.
public final class RunStream implements Iterable<RunEvent>, Iterator<RunEvent>, AutoCloseable {
  private static final String EVENTS = "text/event-stream, application/problem+json";
  private static final Set<String> OVER = Set.of("run.succeeded", "run.cancelled");
  private static final Set<String> AT_REST =
      Set.of("run.succeeded", "run.cancelled", "run.failed", "run.interrupted");

  private final Transport transport;
  private final StreamOptions options;
  private final String key;
  private final Call first;
  private String runId;
  private String lastId;
  private String lastType = "";
  private int failures;
  private Frames frames;
  private RunEvent next;
  private boolean ended;

  /// @param runId of a run that exists, or empty if `first` starts it
  RunStream(Transport transport, Call first, String runId, StreamOptions options) {
    this.transport = transport;
    this.first = first;
    this.runId = runId;
    this.options = options;
    key = transport.newKey();
    lastId = options.lastEventId();
  }

  static Call follow(String runId, StreamOptions options) {
    var path = "/v1/runs/" + Call.part(runId) + "/stream";
    return new Call("GET", path, options.query(), null, Call.Repeat.SAFE, EVENTS);
  }

  static Call start(Object body, StreamOptions options) {
    var query = options.query();
    query.put("on_disconnect", options.onDisconnect().isEmpty() ? null : options.onDisconnect());
    return new Call("POST", "/v1/runs/stream", query, body, Call.Repeat.KEYED, EVENTS);
  }

  @Override
  public Iterator<RunEvent> iterator() {
    return this;
  }

  @Override
  public RunEvent next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    var event = next;
    next = null;
    return event;
  }

  @Override
  public boolean hasNext() {
    while (next == null && !ended) {
      SuperstepException failure;
      try {
        advance();
        if (next != null || ended) {
          break;
        }
        failure = new SuperstepException("the stream ends although the run is not at rest", null);
      } catch (SuperstepException e) {
        if (!transport.repeatable(e)) {
          close();
          throw e;
        }
        failure = e;
      }
      comeBack(failure);
    }
    return next != null;
  }

  /// Sets the next event, or the end, or neither if the connection has ended.
  private void advance() {
    if (frames == null && !connect()) {
      ended = true;
      return;
    }
    for (var frame = frames.next(); frame != null; frame = frames.next()) {
      if (!frame.id().isEmpty()) {
        lastId = frame.id();
        failures = 0;
      }
      var event = transport.read(frame.data(), RunEvent.class);
      if (event != null && !event.type().equals("stream.cut")) {
        runId = runId.isEmpty() ? event.runId() : runId;
        lastType = frame.id().isEmpty() ? lastType : event.type();
        next = event;
        return;
      }
    }
  }

  /// @return false: the run is at rest, and nothing is left
  private boolean connect() {
    boolean starts = runId.isEmpty();
    var call = starts ? first : follow(runId, options);
    var idle = transport.settings().idle();
    var response = transport.send(call, key, starts ? "" : lastId, idle, Frames.handler(idle));
    if (response.statusCode() == 204) {
      return false;
    }
    if (starts) {
      var location = response.headers().firstValue("Location").orElse("");
      runId = location.substring(location.lastIndexOf('/') + 1);
    }
    frames = response.body().frames();
    return true;
  }

  private void comeBack(SuperstepException failure) {
    closeConnection();
    if ((options.follow() ? OVER : AT_REST).contains(lastType)) {
      ended = true;
      return;
    }
    if (failures >= transport.settings().retries()) {
      ended = true;
      throw failure;
    }
    transport.pause(failures, failure);
    failures++;
  }

  private void closeConnection() {
    if (frames != null) {
      frames.close();
      frames = null;
    }
  }

  @Override
  public void close() {
    ended = true;
    next = null;
    closeConnection();
  }
}
