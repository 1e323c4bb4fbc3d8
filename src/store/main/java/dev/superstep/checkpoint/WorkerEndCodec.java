package dev.superstep.checkpoint;

import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// Writes and reads how workers ended.
public final class WorkerEndCodec {
  /// What a release before reads, which knows no steps that ask: it has the task tried again.
  private static final TaskError ASKED =
      TaskError.retryable("node_interrupted", "this release does not know steps that ask");

  private WorkerEndCodec() {}

  public static byte[] bytes(WorkerEnd end) {
    return StoredObject.bytes(
        switch (end) {
          case WorkerEnd.Returned(var result) -> ObjectValue.empty().plus("result", result);
          case WorkerEnd.Failed(var error) ->
              ObjectValue.empty().plus("error", ErrorCodec.write(error));
          case WorkerEnd.StepQuestion(var ordinal, var name, var question) ->
              ObjectValue.empty()
                  .plus("error", ErrorCodec.write(ASKED))
                  .plus("ask", question)
                  .plus("ordinal", ordinal)
                  .plus("name", Value.of(name));
        });
  }

  public static WorkerEnd read(byte[] bytes) {
    var in = StoredObject.object(bytes);
    if (in.has("ask")) {
      return new WorkerEnd.StepQuestion(in.intOr(0, "ordinal"), in.text("name"), in.get("ask"));
    }
    return in.has("error")
        ? new WorkerEnd.Failed(ErrorCodec.readTask(in.get("error")))
        : new WorkerEnd.Returned(in.get("result"));
  }
}
