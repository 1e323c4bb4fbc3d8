package dev.superstep.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A web service that tools call.
final class ToolServer implements AutoCloseable {
  private final HttpServer server;
  private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

  record Arrival(
      String method,
      String path,
      String key,
      String authorization,
      String traceparent,
      String callback,
      String body) {}

  ToolServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/lookup", it -> serve(it, 200));
    server.createContext("/told", it -> serve(it, 200));
    // The connection breaks before there is an answer.
    server.createContext("/shaky", it -> serve(it, 0));
    server.start();
  }

  private void serve(HttpExchange exchange, int status) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      arrivals.add(
          new Arrival(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              String.valueOf(headers.getFirst("Idempotency-Key")),
              String.valueOf(headers.getFirst("Authorization")),
              String.valueOf(headers.getFirst("traceparent")),
              String.valueOf(headers.getFirst("Callback-Url")),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
      if (status > 0) {
        var path = exchange.getRequestURI().getPath();
        // Some services show what they were sent.
        var body = path.endsWith("/echo") ? "looked up with " + headers.entrySet() : "looked up";
        exchange.sendResponseHeaders(status, 0);
        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Arrival> arrivals(String path) {
    return arrivals.stream().filter(it -> it.path().startsWith(path)).toList();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
