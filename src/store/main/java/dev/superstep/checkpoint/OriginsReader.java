package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.ContextDelta;
import dev.superstep.engine.checkpoint.ContextDelta.DeltaPiece;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads what [OriginsWriter] writes. Checkpoints of older releases have no origins.
final class OriginsReader {
  private final Map<ActivationOrigins.To, List<ActivationOrigin>> to = new HashMap<>();
  private final List<TaskKey> sources = new ArrayList<>();
  private final Map<TaskKey, ContextDelta> passed = new HashMap<>();
  private final Map<String, List<TaskKey>> arrived = new HashMap<>();

  OriginsReader(ObjectReader in) {
    in.list(OriginsWriter.FROM, StoredObject::reader).forEach(this::readSource);
    var came = in.objectOrEmpty(OriginsWriter.ARRIVED);
    var tasks = new ObjectReader(came);
    came.asMap().keySet().forEach(edge -> arrived.put(edge, tasks.list(edge, this::source)));
  }

  void read(Activation activation, Value stored) {
    if (stored instanceof ObjectValue object && object.has(OriginsWriter.BY)) {
      to.put(
          ActivationOrigins.To.of(activation),
          new ObjectReader(object).list(OriginsWriter.BY, this::readWay));
    }
  }

  ActivationOrigins origins() {
    return to.isEmpty() && arrived.isEmpty()
        ? ActivationOrigins.NONE
        : new ActivationOrigins(to, arrived, passed);
  }

  private ActivationOrigin readWay(Value value) {
    return value instanceof ListValue pair
        ? new ActivationOrigin(ObjectReader.text(pair.get(0)), source(pair.get(1)))
        : new ActivationOrigin(ObjectReader.text(value), null);
  }

  private TaskKey source(Value place) {
    return sources.get(Math.toIntExact(ObjectReader.integer(place)));
  }

  private void readSource(ObjectReader in) {
    var task =
        new TaskKey(Math.toIntExact(in.integer("s")), new NodeId(in.text("n")), in.textOrNull("d"));
    sources.add(task);
    if (in.has("h")) {
      passed.put(
          task,
          new ContextDelta(part("v", in), part("m", in), in.list("h", OriginsReader::readPiece)));
    }
  }

  private static ContextDelta.MemberChange part(String key, ObjectReader in) {
    return new ContextDelta.MemberChange(
        in.list(key + "-", ObjectReader::text), in.objectOrEmpty(key + "+"));
  }

  private static DeltaPiece readPiece(Value value) {
    if (value instanceof ListValue range) {
      return new DeltaPiece.Range(
          Math.toIntExact(ObjectReader.integer(range.get(0))),
          Math.toIntExact(ObjectReader.integer(range.get(1))));
    }
    var in = StoredObject.reader(value);
    return new DeltaPiece.Changed(in.get("e"), in.get("t"));
  }
}
