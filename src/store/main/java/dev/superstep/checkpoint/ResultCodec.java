package dev.superstep.checkpoint;

import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;

/// Writes and reads node results in stored form.
final class ResultCodec {
  private ResultCodec() {}

  static Value write(NodeResult result) {
    var out =
        new ObjectWriter()
            .unlessEmpty("to", result.dispatch(), ResultCodec::write)
            .unlessEmpty("vars", result.variables())
            .unlessNull("prompt", result.prompt())
            .unlessNull("response", result.response())
            .unlessEmpty("ev", result.events(), ResultCodec::write)
            .unlessEmpty("hm", result.historyMetadata());
    if (!result.change().isEmpty()) {
      out.put("c", ChangeCodec.write(result.change()));
    }
    var goTo = result.goTo();
    if (goTo != null) {
      out.put("goto", ListValue.of(goTo.stream().map(Value::of).toList()));
    }
    var policy = result.policy();
    if (policy != null) {
      out.put("policy", DispatchPolicyCodec.write(policy));
    }
    var failure = result.runFailure();
    if (failure != null) {
      out.put("fails", ErrorCodec.write(failure));
    }
    return out.value();
  }

  static NodeResult read(Value value) {
    var in = StoredObject.reader(value);
    return new NodeResult(
        in.find("c").map(ChangeCodec::read).orElse(Change.NONE),
        in.has("goto") ? in.list("goto", ObjectReader::text) : null,
        in.list("to", ResultCodec::readDispatch),
        in.objectOrEmpty("vars"),
        in.textOrNull("prompt"),
        in.textOrNull("response"),
        in.list("ev", ResultCodec::readEvent),
        in.objectOrEmpty("hm"),
        in.has("fails") ? ErrorCodec.readTask(in.get("fails")) : null,
        in.has("policy") ? DispatchPolicyCodec.read(in.get("policy")) : null);
  }

  private static Value write(CustomEvent event) {
    return new ObjectWriter().put("n", event.name()).put("d", event.data()).value();
  }

  private static CustomEvent readEvent(Value value) {
    var in = StoredObject.reader(value);
    return new CustomEvent(in.text("n"), in.value().getOr("d", Value.NULL));
  }

  private static Value write(DispatchRequest dispatch) {
    return new ObjectWriter()
        .put("node", dispatch.node())
        .unlessNull("id", dispatch.id())
        .unlessEmpty("in", dispatch.input())
        .unlessEmpty("meta", dispatch.metadata())
        .value();
  }

  private static DispatchRequest readDispatch(Value value) {
    var in = StoredObject.reader(value);
    return new DispatchRequest(
        in.text("node"), in.objectOrEmpty("in"), in.textOrNull("id"), in.objectOrEmpty("meta"));
  }
}
