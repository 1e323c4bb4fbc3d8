package dev.superstep.checkpoint;

import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/// Writes and reads errors in stored form.
final class ErrorCodec {
  private ErrorCodec() {}

  static Value write(TaskError error) {
    var out =
        new ObjectWriter()
            .put("code", error.code())
            .put("text", error.message())
            .unlessEmpty("details", error.details());
    if (error.retryable() == Retryable.YES) {
      out.put("again", Value.TRUE);
    }
    error.retryAfter().ifPresent(it -> out.put("after", micros(it)));
    return out.value();
  }

  static TaskError readTask(Value value) {
    var in = StoredObject.reader(value);
    return new TaskError(
        in.text("code"),
        in.text("text"),
        in.has("again") ? Retryable.YES : Retryable.NO,
        in.find("after").map(it -> duration(ObjectReader.integer(it))),
        in.objectOrEmpty("details"));
  }

  static Value write(RunError error) {
    var out = new ObjectWriter().put("error", write(error.error())).put("attempt", error.attempt());
    error
        .task()
        .ifPresent(it ->
            out.put("superstep", it.superstep())
                .put("node", it.node().value())
                .unlessNull("dispatch", it.dispatchId()));
    return out.value();
  }

  static RunError readRun(Value value) {
    var in = StoredObject.reader(value);
    var task =
        in.find("node")
            .map(it ->
                new TaskKey(
                    Math.toIntExact(in.integer("superstep")),
                    new NodeId(ObjectReader.text(it)),
                    in.textOrNull("dispatch")));
    return new RunError(readTask(in.get("error")), task, Math.toIntExact(in.integer("attempt")));
  }

  static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }

  static Duration duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
