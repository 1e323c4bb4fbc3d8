package dev.superstep.fault;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/// A server that keeps what webhooks are sent to it, and answers as it is told.
public final class WebhookReceiver implements AutoCloseable {
  private final HttpServer server;
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private volatile Answering answering = _ -> 204;
  private volatile String retryAfter = "";

  /// Decides how a delivery is answered.
  @FunctionalInterface
  public interface Answering {
    int status(Received received) throws InterruptedException;
  }

  /// A request, headers by their lower-case names.
  public record Received(Map<String, String> headers, String body) {
    public String id() {
      return headers.getOrDefault("webhook-id", "");
    }

    public Value at(String pointer) {
      return Pointer.find(Json.read(body), pointer).orElse(Value.NULL);
    }

    public String text(String pointer) {
      return at(pointer) instanceof Value.Text(var text) ? text : at(pointer).toString();
    }

    public int signatures() {
      return headers.getOrDefault("webhook-signature", "").split(" ").length;
    }

    /// Whether the verifier of Standard Webhooks takes it.
    public boolean verifies(String secret) {
      var all =
          HttpHeaders.of(
              headers.entrySet().stream()
                  .collect(Collectors.toMap(Map.Entry::getKey, it -> List.of(it.getValue()))),
              (_, _) -> true);
      try {
        new Webhook(secret).verify(body, all);
        return true;
      } catch (WebhookVerificationException | EmptyWebhookSecretException _) {
        return false;
      }
    }
  }

  public WebhookReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  public void answer(Answering other) {
    answering = other;
  }

  /// The header of this name of answers; "": none.
  public void retryAfter(String other) {
    retryAfter = other;
  }

  public List<Received> received() {
    return List.copyOf(received);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers =
          exchange.getRequestHeaders().entrySet().stream()
              .collect(
                  Collectors.toMap(
                      it -> it.getKey().toLowerCase(Locale.ROOT),
                      it -> String.join(",", it.getValue())));
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var delivery = new Received(headers, body);
      received.add(delivery);
      int status = answering.status(delivery);
      var text = status == 204 ? new byte[0] : "no".repeat(2_000).getBytes(StandardCharsets.UTF_8);
      if (!retryAfter.isEmpty()) {
        exchange.getResponseHeaders().set("Retry-After", retryAfter);
      }
      exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
      if (text.length > 0) {
        exchange.getResponseBody().write(text);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
