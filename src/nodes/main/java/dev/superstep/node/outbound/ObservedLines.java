package dev.superstep.node.outbound;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// An input stream that passes each line to a listener as it is read, and the bytes unchanged to
/// the reader.
final class ObservedLines extends FilterInputStream {
  private final Consumer<String> listener;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  ObservedLines(InputStream in, Consumer<String> listener) {
    super(in);
    this.listener = listener;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    if (value >= 0) {
      observe((byte) value);
    }
    return value;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    int read = super.read(to, offset, length);
    for (int i = 0; i < read; i++) {
      observe(to[offset + i]);
    }
    return read;
  }

  private void observe(byte next) {
    if (next == '\n') {
      listener.accept(line.toString(StandardCharsets.UTF_8).stripTrailing());
      line.reset();
    } else {
      line.write(next);
    }
  }
}
