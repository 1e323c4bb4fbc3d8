package dev.superstep.node.http;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.NodeCall;
import dev.superstep.engine.NodeResult;
import dev.superstep.engine.Outcome;
import dev.superstep.engine.RunHeader;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.node.NodeResults;
import dev.superstep.state.Canonical;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Calls a remote node function: POSTs what a node sees, takes a node result back.
///
/// @param stateKeys the channels that are sent; empty: all
/// @param config the node's configuration, without headers, which may hold credentials
record FunctionMode(Optional<List<String>> stateKeys, ObjectValue config) implements Mode {

  @Override
  public HttpCall request(NodeCall call, URI uri, Map<String, String> headers) {
    var all = new LinkedHashMap<>(headers);
    all.putIfAbsent("Accept", "application/json");
    all.putIfAbsent("Content-Type", "application/json");
    return new HttpCall("POST", uri, all, Canonical.bytes(body(call)));
  }

  private ObjectValue body(NodeCall call) {
    var task = call.task();
    var body = new LinkedHashMap<String, Value>();
    body.put("run", run(call.run(), call.numVertices()));
    body.put("node", Value.of(task.node().id().value()));
    body.put("superstep", Value.of((long) task.key().superstep()));
    body.put("dispatch", call.get("dispatch"));
    body.put("state", state(call));
    body.put("input", task.input());
    body.put("context", context(call.context()));
    body.put("resume", resume(call));
    body.put("config", config);
    return ObjectValue.of(body);
  }

  private static ObjectValue run(RunHeader run, int numVertices) {
    return ObjectValue.of("id", Value.of(run.id()))
        .plus("graph", Value.of(run.graph()))
        .plus("version", Value.of((long) run.version()))
        .plus("num_vertices", Value.of((long) numVertices))
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
    return ObjectValue.of("template", Value.of(context.template()))
        .plus("variables", context.variables())
        .plus("history", ListValue.of(history))
        .plus("metadata", context.metadata());
  }

  private static Value resume(NodeCall call) {
    return call.resume()
        .<Value>map(it ->
            ObjectValue.of("interrupt_id", Value.of(it.interruptId())).plus("answer", it.answer()))
        .orElse(Value.NULL);
  }

  @Override
  public Outcome outcome(NodeCall call, HttpReply reply, Failures failures) {
    return switch (reply.status()) {
      case 204 -> new Outcome.Done(NodeResult.NOTHING);
      case 200 -> result(reply);
      default ->
          reply.isSuccess()
              ? Mode.badResult(
                  "a node function answers 200 or 204; %s answered %d"
                      .formatted(Urls.origin(reply.uri()), reply.status()))
              : new Outcome.Failed(failures.status(reply, call.clock()));
    };
  }

  private static Outcome result(HttpReply reply) {
    try {
      return NodeResults.parse(Json.read(reply.body()));
    } catch (JsonException e) {
      return Mode.badResult("the answer is no JSON: " + e.problems().getFirst());
    }
  }
}
