package dev.superstep.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One connection that is kept alive, over a plain socket: on two cores a client that does more
/// would be what is measured.
final class HttpLine implements AutoCloseable {
  private static final int TIMEOUT_MS = 70_000;
  private final URI service;
  private Socket socket = new Socket();
  private InputStream in = InputStream.nullInputStream();
  private Kept kept = Kept.NO;

  HttpLine(String url) throws IOException {
    service = URI.create(url);
    connect();
  }

  /// Whether the service keeps the connection: it may close it now and then.
  private enum Kept {
    YES,
    NO
  }

  private void connect() throws IOException {
    socket.close();
    socket = new Socket();
    socket.connect(new InetSocketAddress(service.getHost(), service.getPort()), TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    in = new BufferedInputStream(socket.getInputStream());
    kept = Kept.YES;
  }

  record Answer(int status, String body) {
    /// @throws IllegalStateException unless the status is 2xx
    Answer orThrow() {
      if (status / 100 != 2) {
        throw new IllegalStateException("status %d: %s".formatted(status, body));
      }
      return this;
    }
  }

  Answer get(String path) throws IOException {
    return call("GET", path, "", "");
  }

  Answer postJson(String path, String body) throws IOException {
    return call("POST", path, "application/json", body);
  }

  Answer postYaml(String path, String body) throws IOException {
    return call("POST", path, "application/yaml", body);
  }

  private Answer call(String method, String path, String type, String body) throws IOException {
    if (kept == Kept.NO) {
      connect();
    }
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    var head = new StringBuilder(256);
    head.append(method)
        .append(' ')
        .append(path)
        .append(" HTTP/1.1\r\nHost: ")
        .append(service.getAuthority());
    if (!type.isEmpty()) {
      head.append("\r\nContent-Type: ").append(type);
      head.append("\r\nContent-Length: ").append(bytes.length);
    }
    var request = new ByteArrayOutputStream(head.length() + bytes.length + 4);
    request.writeBytes(head.append("\r\n\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    request.writeBytes(bytes);
    socket.getOutputStream().write(request.toByteArray());
    return answer();
  }

  private Answer answer() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = 0;
    for (var header = line(); !header.isEmpty(); header = line()) {
      var lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:") && lower.contains("chunked")) {
        length = -1;
      } else if (lower.startsWith("connection:") && lower.contains("close")) {
        kept = Kept.NO;
      }
    }
    var body = length < 0 ? chunks() : exactly(length);
    return new Answer(status, new String(body, StandardCharsets.UTF_8));
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    int size = Integer.parseInt(line().strip(), 16);
    while (size > 0) {
      body.writeBytes(exactly(size));
      line();
      size = Integer.parseInt(line().strip(), 16);
    }
    line();
    return body.toByteArray();
  }

  private byte[] exactly(int length) throws IOException {
    var bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the service closed the connection");
    }
    return bytes;
  }

  private String line() throws IOException {
    return line(in);
  }

  /// A line of a head, without its end.
  static String line(InputStream in) throws IOException {
    var line = new StringBuilder(64);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the other side closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
