package dev.superstep.checkpoint;

import dev.superstep.state.Change;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.Value;

/// Writes and reads changes in stored form.
public final class ChangeCodec {
  private ChangeCodec() {}

  public static byte[] bytes(Change change) {
    return StoredObject.bytes(write(change));
  }

  public static Change read(byte[] bytes) {
    return read(StoredObject.value(bytes));
  }

  static Value write(Change change) {
    return new ObjectWriter()
        .unlessEmpty("rm", change.remove(), Value::of)
        .unlessEmpty("rmm", change.removeMessages(), Value::of)
        .unlessEmpty("o", change.overwrite())
        .unlessEmpty("u", change.update())
        .unlessEmpty("x", change.cuts(), ChangeCodec::write)
        .value();
  }

  private static Value write(ListCompaction listCompaction) {
    return new ObjectWriter()
        .put("ch", listCompaction.channel())
        .put("at", listCompaction.from())
        .put("n", listCompaction.count())
        .put("h", listCompaction.digest())
        .put("s", listCompaction.summary())
        .value();
  }

  private static ListCompaction readCut(Value value) {
    var in = StoredObject.reader(value);
    return new ListCompaction(
        in.text("ch"),
        in.intOr(0, "at"),
        in.intOr(0, "n"),
        in.text("h"),
        in.find("s").map(it -> StoredObject.reader(it).value()));
  }

  static Change read(Value value) {
    var in = StoredObject.reader(value);
    return new Change(
        in.list("rm", ObjectReader::text),
        in.list("rmm", ObjectReader::text),
        in.objectOrEmpty("o"),
        in.objectOrEmpty("u"),
        in.list("x", ChangeCodec::readCut));
  }
}
