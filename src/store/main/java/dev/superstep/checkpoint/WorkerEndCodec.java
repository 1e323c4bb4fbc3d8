package dev.superstep.checkpoint;

import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.state.value.ObjectValue;

/// Writes and reads how workers ended.
public final class WorkerEndCodec {
  private WorkerEndCodec() {}

  public static byte[] bytes(WorkerEnd end) {
    return StoredObject.bytes(
        switch (end) {
          case WorkerEnd.Returned(var result) -> ObjectValue.empty().plus("result", result);
          case WorkerEnd.Failed(var error) ->
              ObjectValue.empty().plus("error", ErrorCodec.write(error));
        });
  }

  public static WorkerEnd read(byte[] bytes) {
    var in = StoredObject.object(bytes);
    return in.has("error")
        ? new WorkerEnd.Failed(ErrorCodec.readTask(in.get("error")))
        : new WorkerEnd.Returned(in.get("result"));
  }
}
