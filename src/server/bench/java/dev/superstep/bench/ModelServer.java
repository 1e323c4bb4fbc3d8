package dev.superstep.bench;

import dev.superstep.bench.function.Texts;
import dev.superstep.model.stub.OpenAiStub;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/// The model of the examples and the web services that are its tools, over plain sockets with a
/// thread each: on two cores a server that does more would be what is measured. It says what
/// [OpenAiStub] says, not streamed, and takes requests whose length is told.
final class ModelServer implements AutoCloseable {
  private static final int BACKLOG = 4_096;
  private static final String WEATHER = "GET /weather/";
  private static final String DOCUMENT = "GET /document/";
  private static final int DOCUMENT_CHARS = 5_000;
  private final ServerSocket socket;
  private final Duration delay;
  private final Function<String, String> brain;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  private ModelServer(ServerSocket socket, Duration delay, Function<String, String> brain) {
    this.socket = socket;
    this.delay = delay;
    this.brain = brain;
  }

  /// @param delay before each of the model's answers
  static ModelServer start(Duration delay) throws IOException {
    var count = new AtomicInteger();
    return start(delay, body -> OpenAiStub.exampleAnswer(count.incrementAndGet(), body));
  }

  /// @param brain makes a chat completion of a request
  static ModelServer start(Duration delay, Function<String, String> brain) throws IOException {
    var server =
        new ModelServer(
            new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), delay, brain);
    Thread.ofVirtual().start(server::accept);
    return server;
  }

  /// Without a path.
  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /// What went wrong here would only be seen as what the service makes of it.
  void check() throws IOException {
    if (failure.get() != null) {
      throw new IOException("the model's server failed", failure.get());
    }
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        var connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException e) {
        note(e);
      }
    }
  }

  private void note(Exception e) {
    if (!socket.isClosed()) {
      failure.compareAndSet(null, e);
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      var in = new BufferedInputStream(connection.getInputStream());
      while (hasMore(in)) {
        answer(connection, HttpLine.line(in), body(in));
      }
    } catch (IOException | RuntimeException | InterruptedException e) {
      note(e);
    }
  }

  /// Waits for the next request, or the end of the connection.
  private static boolean hasMore(InputStream in) throws IOException {
    in.mark(1);
    int first = in.read();
    in.reset();
    return first >= 0;
  }

  private void answer(Socket connection, String request, String body)
      throws IOException, InterruptedException {
    if (request.startsWith(WEATHER)) {
      var city = request.substring(WEATHER.length(), request.indexOf(' ', WEATHER.length()));
      send(connection, "text/plain; charset=utf-8", "sunny in " + city);
    } else if (request.startsWith(DOCUMENT)) {
      send(connection, "text/plain; charset=utf-8", Texts.text(DOCUMENT_CHARS));
    } else {
      var answer = brain.apply(body);
      Thread.sleep(delay);
      send(connection, "application/json", answer);
    }
  }

  private static void send(Socket connection, String type, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    var head = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + bytes.length;
    var answer = new ByteArrayOutputStream(head.length() + 4 + bytes.length);
    answer.writeBytes((head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    answer.writeBytes(bytes);
    connection.getOutputStream().write(answer.toByteArray());
  }

  private static String body(InputStream in) throws IOException {
    int length = 0;
    for (var header = HttpLine.line(in); !header.isEmpty(); header = HttpLine.line(in)) {
      if (header.regionMatches(true, 0, "Transfer-Encoding:", 0, 18)) {
        throw new IOException("the length is not told: " + header);
      }
      if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
        length = Integer.parseInt(header.substring(15).strip());
      }
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
