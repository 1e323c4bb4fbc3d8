package dev.superstep.node.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A real HTTP server on loopback that remembers what it was asked.
public final class TestServer implements AutoCloseable {
  private final HttpServer server;
  public final List<Request> requests = new CopyOnWriteArrayList<>();

  public record Request(
      String method, String path, Map<String, List<String>> headers, String body) {
    public String header(String name) {
      return String.join(", ", headers.getOrDefault(name, List.of()));
    }

    ObjectValue json() {
      return (ObjectValue) Json.read(body);
    }
  }

  public TestServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  /// Answers requests to `path`.
  public TestServer on(String path, HttpHandler handler) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            remember(exchange);
            handler.handle(exchange);
          }
        });
    return this;
  }

  public TestServer on(String path, int status, String body, String... headers) {
    return on(path, exchange -> send(exchange, status, body, headers));
  }

  private void remember(HttpExchange exchange) throws IOException {
    requests.add(
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            Map.copyOf(exchange.getRequestHeaders()),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
  }

  public static void send(HttpExchange exchange, int status, String body, String... headers)
      throws IOException {
    for (int i = 0; i < headers.length; i += 2) {
      exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
    }
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String url(String path) {
    return "http://127.0.0.1:%d%s".formatted(port(), path);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
