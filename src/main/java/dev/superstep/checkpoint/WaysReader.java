package dev.superstep.checkpoint;

import dev.superstep.engine.Activation;
import dev.superstep.engine.PassedContext;
import dev.superstep.engine.PassedContext.Piece;
import dev.superstep.engine.TaskKey;
import dev.superstep.engine.Way;
import dev.superstep.engine.Ways;
import dev.superstep.graph.NodeId;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads what [WaysWriter] writes. Checkpoints of before have none of it: no way is known then.
final class WaysReader {
  private final Map<Ways.To, List<Way>> to = new HashMap<>();
  private final List<TaskKey> sources = new ArrayList<>();
  private final Map<TaskKey, PassedContext> passed = new HashMap<>();
  private final Map<String, List<TaskKey>> arrived = new HashMap<>();

  WaysReader(ObjectReader in) {
    in.list(WaysWriter.FROM, Stored::reader).forEach(this::readSource);
    var came = in.objectOrEmpty(WaysWriter.ARRIVED);
    var tasks = new ObjectReader(came);
    came.asMap().keySet().forEach(edge -> arrived.put(edge, tasks.list(edge, this::source)));
  }

  void read(Activation activation, Value stored) {
    if (stored instanceof ObjectValue object && object.has(WaysWriter.BY)) {
      to.put(Ways.To.of(activation), new ObjectReader(object).list(WaysWriter.BY, this::readWay));
    }
  }

  Ways ways() {
    return to.isEmpty() && arrived.isEmpty() ? Ways.NONE : new Ways(to, arrived, passed);
  }

  private Way readWay(Value value) {
    return value instanceof ListValue pair
        ? new Way(ObjectReader.text(pair.get(0)), source(pair.get(1)))
        : new Way(ObjectReader.text(value), null);
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
          new PassedContext(part("v", in), part("m", in), in.list("h", WaysReader::readPiece)));
    }
  }

  private static PassedContext.Part part(String key, ObjectReader in) {
    return new PassedContext.Part(
        in.list(key + "-", ObjectReader::text), in.objectOrEmpty(key + "+"));
  }

  private static Piece readPiece(Value value) {
    if (value instanceof ListValue range) {
      return new Piece.Range(
          Math.toIntExact(ObjectReader.integer(range.get(0))),
          Math.toIntExact(ObjectReader.integer(range.get(1))));
    }
    var in = Stored.reader(value);
    return new Piece.Changed(in.get("e"), in.get("t"));
  }
}
