package dev.superstep.checkpoint;

import dev.superstep.state.Change;
import dev.superstep.state.Cut;
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
        .unlessEmpty("x", change.cuts(), ChangeCodec::write)
        .value();
  }

  private static Value write(Cut cut) {
    return new ObjectWriter()
        .put("ch", cut.channel())
        .put("at", cut.from())
        .put("n", cut.count())
        .put("h", cut.digest())
        .put("s", cut.summary())
        .value();
  }

  private static Cut readCut(Value value) {
    var in = Stored.reader(value);
    return new Cut(
        in.text("ch"),
        in.intOr(0, "at"),
        in.intOr(0, "n"),
        in.text("h"),
        in.find("s").map(it -> Stored.reader(it).value()));
  }

  static Change read(Value value) {
    var in = Stored.reader(value);
    return new Change(
        in.list("rm", ObjectReader::text),
        in.list("rmm", ObjectReader::text),
        in.objectOrEmpty("o"),
        in.objectOrEmpty("u"),
        in.list("x", ChangeCodec::readCut));
  }
}
