package dev.superstep.node.http;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.node.NodeResults;
import dev.superstep.secret.SecretsOfCall;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Calls a remote node function: POSTs the node's view of the run and reads a node result.
///
/// @param stateKeys the channels that are sent; empty: all
/// @param config the node's configuration, without headers, which may hold credentials
record FunctionMode(Optional<List<String>> stateKeys, ObjectValue config) implements Mode {
  private static final String ACCEPT = "application/json, application/x-ndjson, text/event-stream";

  /// Publishes each event when its line arrives, without the secrets of the request. Lines that are
  /// no event, or exceed a limit, are reported by [#outcome] once the answer is complete.
  @Override
  public LineListener listener(NodeCall call, SecretsOfCall sent) {
    return mediaType ->
        EventLines.EventForm.of(mediaType)
            .filter(_ -> call.watchers().hasSubscribers())
            .map(form -> {
              var count = new AtomicInteger();
              var eventLines =
                  new EventLines(
                      form,
                      event -> {
                        int index = count.getAndIncrement();
                        if (index < CustomEvent.COUNT_MAX) {
                          call.watchers()
                              .publish(CustomEvent.TYPE, event.live(index, call.attempt()));
                        }
                      });
              return line -> eventLines.onLine(sent.isNone() ? line : sent.scrub(line));
            });
  }

  @Override
  public HttpCall request(NodeCall call, URI uri, Map<String, String> headers) {
    var all = new LinkedHashMap<>(headers);
    all.putIfAbsent("Accept", ACCEPT);
    all.putIfAbsent("Content-Type", "application/json");
    return new HttpCall("POST", uri, all, Canonical.bytes(body(call)));
  }

  private ObjectValue body(NodeCall call) {
    var task = call.task();
    var body = new LinkedHashMap<String, Value>();
    body.put("run", run(call.run(), call.numVertices()));
    body.put("node", Value.of(task.node().id().value()));
    body.put("superstep", Value.of(task.key().superstep()));
    body.put("dispatch", call.get("dispatch"));
    body.put("state", state(call));
    body.put("input", task.input());
    body.put("context", context(call.context()));
    body.put("resume", resume(call));
    body.put("config", config);
    return ObjectValue.of(body);
  }

  private static ObjectValue run(RunHeader run, int numVertices) {
    return ObjectValue.of("id", Tenant.shown(run.id()))
        .plus("graph", Tenant.shown(run.graph()))
        .plus("version", run.version())
        .plus("num_vertices", numVertices)
        .plus("metadata", run.metadata());
  }

  private ObjectValue state(NodeCall call) {
    var channels = call.state().channels();
    if (stateKeys.isEmpty()) {
      return channels;
    }
    var sent = new LinkedHashMap<String, Value>();
    for (var key : stateKeys.get()) {
      var value = channels.get(key);
      if (value != null) {
        sent.put(key, value);
      }
    }
    return ObjectValue.of(sent);
  }

  private static ObjectValue context(PromptContext context) {
    var history = new ArrayList<Value>();
    for (int i = 0; i < context.history().size(); i++) {
      var entry = context.history().get(i);
      history.add(
          entry instanceof ObjectValue object && i < context.times().size()
              ? object.plus("timestamp", context.times().get(i))
              : entry);
    }
    return ObjectValue.of("template", context.template())
        .plus("variables", context.variables())
        .plus("history", ListValue.of(history))
        .plus("metadata", context.metadata());
  }

  private static Value resume(NodeCall call) {
    return call.resume()
        .<Value>map(
            it -> ObjectValue.of("interrupt_id", it.interruptId()).plus("answer", it.answer()))
        .orElse(Value.NULL);
  }

  @Override
  public HttpReply reply(URI uri, Value mock) {
    return new HttpReply(
        uri, 200, Map.of("content-type", "application/json"), Canonical.bytes(mock));
  }

  @Override
  public Outcome answered(NodeCall call, Value answer) {
    throw new IllegalStateException("mode function has no callbacks");
  }

  @Override
  public Outcome outcome(NodeCall call, HttpReply reply, HttpFailures httpFailures) {
    return switch (reply.status()) {
      case 204 -> new Outcome.Done(NodeResult.NOTHING);
      case 200 ->
          EventLines.EventForm.of(reply.mediaType())
              .map(it -> streamed(it, reply))
              .orElseGet(() -> result(reply));
      default ->
          reply.isSuccess()
              ? Mode.badResult(
                  "a node function answers 200 or 204; %s answered %d"
                      .formatted(Urls.origin(reply.uri()), reply.status()))
              : new Outcome.Failed(httpFailures.status(reply, call.clock()));
    };
  }

  private static Outcome streamed(EventLines.EventForm form, HttpReply reply) {
    var events = new ArrayList<CustomEvent>();
    return switch (EventLines.read(form, reply.body(), events::add)) {
      case EventLines.ReplyEnd.Wrong(var problem) -> Mode.badResult(problem);
      case EventLines.ReplyEnd.ResultEnd(var value) -> behind(events, NodeResults.parse(value));
    };
  }

  private static Outcome behind(List<CustomEvent> events, Outcome outcome) {
    if (!(outcome instanceof Outcome.Done(var result))) {
      return outcome;
    }
    var all = result.behind(events);
    return all.events().size() <= CustomEvent.COUNT_MAX
        ? new Outcome.Done(all)
        : Mode.badResult(
            "the answer has %d events; at most %d"
                .formatted(all.events().size(), CustomEvent.COUNT_MAX));
  }

  private static Outcome result(HttpReply reply) {
    try {
      return NodeResults.parse(Json.read(reply.body()));
    } catch (JsonException e) {
      return Mode.badResult("the answer is no JSON: " + e.problems().getFirst());
    }
  }
}
