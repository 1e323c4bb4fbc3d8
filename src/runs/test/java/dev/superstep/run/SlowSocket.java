package dev.superstep.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A client that reads a stream only when it is told to, and keeps hardly anything for later.
final class SlowSocket implements AutoCloseable {
  private static final int KEPT_BYTES = 4_096;
  private static final int SILENCE_MS = 20_000;
  private final Socket socket = new Socket();
  private final StringBuilder unread = new StringBuilder();

  SlowSocket(int port, String run) throws IOException {
    socket.setReceiveBufferSize(KEPT_BYTES);
    socket.setSoTimeout(SILENCE_MS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    var request =
        "GET /v1/runs/%s/stream HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/event-stream\r\n\r\n"
            .formatted(run, port);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  /// Reads until these words have come, one behind the other.
  void until(String... words) throws IOException {
    for (var word : words) {
      int at = unread.indexOf(word);
      while (at < 0) {
        unread.delete(0, Math.max(0, unread.length() - word.length()));
        read(word);
        at = unread.indexOf(word);
      }
      unread.delete(0, at + word.length());
    }
  }

  private void read(String word) throws IOException {
    var bytes = new byte[1 << 16];
    int count = socket.getInputStream().read(bytes);
    if (count < 0) {
      throw new AssertionError("the stream ended before '%s': %s".formatted(word, unread));
    }
    unread.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
