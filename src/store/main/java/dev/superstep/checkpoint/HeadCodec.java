package dev.superstep.checkpoint;

import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHead.Breakpoint;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Writes and reads the binary columns of a run's head: `run.error`, `run.breakpoint`,
/// `run_input.limits`, `run_input.breakpoints`.
public final class HeadCodec {
  private HeadCodec() {}

  public static byte[] bytes(RunError error) {
    return StoredObject.bytes(ErrorCodec.write(error));
  }

  public static RunError error(byte[] bytes) {
    return ErrorCodec.readRun(StoredObject.value(bytes));
  }

  public static byte[] bytes(Breakpoint breakpoint) {
    return StoredObject.bytes(
        new ObjectWriter()
            .put("when", breakpoint.when())
            .put("nodes", texts(breakpoint.nodes()))
            .value());
  }

  public static Breakpoint breakpoint(byte[] bytes) {
    var in = StoredObject.object(bytes);
    return new Breakpoint(in.text("when"), in.list("nodes", ObjectReader::text));
  }

  public static byte[] bytes(Breakpoints breakpoints) {
    return StoredObject.bytes(
        new ObjectWriter()
            .put("before", texts(new TreeSet<>(breakpoints.before())))
            .put("after", texts(new TreeSet<>(breakpoints.after())))
            .value());
  }

  public static Breakpoints breakpoints(byte[] bytes) {
    var in = StoredObject.object(bytes);
    return new Breakpoints(
        Set.copyOf(in.list("before", ObjectReader::text)),
        Set.copyOf(in.list("after", ObjectReader::text)));
  }

  public static byte[] bytes(Limits limits) {
    return StoredObject.bytes(
        new ObjectWriter()
            .put("supersteps", limits.superstepsMax().map(HeadCodec::number))
            .put("concurrency", limits.concurrencyMax().map(HeadCodec::number))
            .put("dispatches", limits.dispatchesMax().map(HeadCodec::number))
            .put("model_calls", limits.modelCallsMax().map(HeadCodec::number))
            .put("tokens", limits.tokensMax().map(Value::of))
            .put("timeout", limits.timeout().map(it -> Value.of(ErrorCodec.micros(it))))
            .value());
  }

  public static Limits limits(byte[] bytes) {
    var in = StoredObject.object(bytes);
    return new Limits(
        number(in, "supersteps"),
        number(in, "concurrency"),
        number(in, "dispatches"),
        number(in, "model_calls"),
        in.find("tokens").map(ObjectReader::integer),
        in.find("timeout").map(it -> ErrorCodec.duration(ObjectReader.integer(it))));
  }

  private static Value number(int number) {
    return Value.of((long) number);
  }

  private static Optional<Integer> number(ObjectReader in, String key) {
    return in.find(key).map(it -> Math.toIntExact(ObjectReader.integer(it)));
  }

  private static ListValue texts(Collection<String> texts) {
    return ListValue.of(texts.stream().map(Value::of).toList());
  }
}
