package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.state.value.ObjectValue;

/// Writes and reads how steps of tasks ended.
public final class StepCodec {
  private StepCodec() {}

  public static byte[] bytes(StepEnd end) {
    return StoredObject.bytes(
        switch (end) {
          case StepEnd.StepResult(var result) -> ObjectValue.empty().plus("result", result);
          case StepEnd.StepFailure(var error) ->
              ObjectValue.empty().plus("error", ErrorCodec.write(error));
        });
  }

  public static StepEnd read(byte[] bytes) {
    var in = StoredObject.object(bytes);
    return in.has("error")
        ? new StepEnd.StepFailure(ErrorCodec.readTask(in.get("error")))
        : new StepEnd.StepResult(in.get("result"));
  }
}
