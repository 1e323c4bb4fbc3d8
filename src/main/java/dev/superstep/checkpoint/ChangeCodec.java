package dev.superstep.checkpoint;

import dev.superstep.state.Change;
import dev.superstep.state.Value;

/// Changes in stored form.
public final class ChangeCodec {
  private ChangeCodec() {}

  public static byte[] bytes(Change change) {
    return Stored.bytes(write(change));
  }

  public static Change read(byte[] bytes) {
    return read(Stored.value(bytes));
  }

  static Value write(Change change) {
    return new ObjectWriter()
        .unlessEmpty("rm", change.remove(), Value::of)
        .unlessEmpty("rmm", change.removeMessages(), Value::of)
        .unlessEmpty("o", change.overwrite())
        .unlessEmpty("u", change.update())
        .value();
  }

  static Change read(Value value) {
    var in = Stored.reader(value);
    return new Change(
        in.list("rm", ObjectReader::text),
        in.list("rmm", ObjectReader::text),
        in.objectOrEmpty("o"),
        in.objectOrEmpty("u"));
  }
}
