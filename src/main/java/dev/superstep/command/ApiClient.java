package dev.superstep.command;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.transport.HttpClients;
import dev.superstep.violation.Pointer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.routing.SystemDefaultRoutePlanner;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/// A server, over its API. A request that it refuses ends the command with what it says.
final class ApiClient implements AutoCloseable {
  /// Longer than the longest wait (60 s) and than the pause between comments of a stream (15 s).
  private static final Timeout SILENCE_MAX = Timeout.ofSeconds(90);

  private static final HttpClients.Limits LIMITS =
      new HttpClients.Limits(Duration.ofSeconds(10), 2, 500, 65_536, Duration.ofSeconds(2));

  private static final int BODY_MAX = 64 << 20;

  private final URI base;
  private final Optional<String> key;
  private final CloseableHttpClient client;

  ApiClient(URI base, Optional<String> key) {
    this.base = base;
    this.key = key;
    this.client =
        HttpClients.builder(LIMITS, SystemDefaultDnsResolver.INSTANCE, tls())
            .setRoutePlanner(new SystemDefaultRoutePlanner(ProxySelector.getDefault()))
            .setDefaultRequestConfig(RequestConfig.custom().setResponseTimeout(SILENCE_MAX).build())
            .build();
  }

  private static SSLContext tls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// An event of a stream.
  ///
  /// @param id empty for live events
  record Event(Optional<String> id, ObjectValue body) {
    String type() {
      return text(body, "/type");
    }
  }

  static String text(Value value, String pointer) {
    return switch (Pointer.find(value, pointer).orElse(Value.NULL)) {
      case Value.Text(var text) -> text;
      case Value.Null _ -> "";
      case Value other -> Canonical.text(other);
    };
  }

  Value get(String path) {
    return exchange(new HttpGet(address(path)));
  }

  Value post(String path, ObjectValue body) {
    return post(path, ContentType.APPLICATION_JSON, Canonical.bytes(body));
  }

  Value post(String path, ContentType type, byte[] body) {
    var request = new HttpPost(address(path));
    request.setEntity(new ByteArrayEntity(body, type));
    return exchange(request);
  }

  /// Takes events until the stream ends or breaks.
  ///
  /// @param after the last event that was seen
  void stream(String path, Optional<String> after, Consumer<Event> events) {
    var request = new HttpGet(address(path));
    request.setHeader("Accept", "text/event-stream");
    after.ifPresent(it -> request.setHeader("Last-Event-ID", it));
    try {
      send(
          request,
          response -> {
            if (response.getEntity() != null) {
              read(response.getEntity(), events);
            }
            return Value.NULL;
          });
    } catch (IOException e) {
      if (isConnectFailure(e)) {
        throw unreachable(e);
      }
      // A stream may break at any time; the follower opens it again.
    } catch (JsonException _) {
      throw foreign();
    }
  }

  /// Starts a run and takes its events until the stream ends or breaks.
  ///
  /// @return the id of the run
  String start(String path, ObjectValue body, Consumer<Event> events) {
    var request = new HttpPost(address(path));
    request.setHeader("Accept", "text/event-stream");
    request.setEntity(new ByteArrayEntity(Canonical.bytes(body), ContentType.APPLICATION_JSON));
    var started = new AtomicReference<>("");
    try {
      send(
          request,
          response -> {
            var location = response.getFirstHeader("Location");
            if (location == null || response.getEntity() == null) {
              throw foreign();
            }
            started.set(location.getValue().substring(location.getValue().lastIndexOf('/') + 1));
            read(response.getEntity(), events);
            return Value.NULL;
          });
    } catch (IOException e) {
      if (started.get().isEmpty()) {
        throw unreachable(e);
      }
      // A stream may break at any time; the follower opens it again.
    } catch (JsonException _) {
      throw foreign();
    }
    return started.get();
  }

  private static void read(HttpEntity entity, Consumer<Event> events) throws IOException {
    try (var lines =
        new BufferedReader(new InputStreamReader(entity.getContent(), StandardCharsets.UTF_8))) {
      var id = Optional.<String>empty();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id:")) {
          id = Optional.of(line.substring(3).strip());
        } else if (line.startsWith("data:")) {
          if (Json.read(line.substring(5).strip()) instanceof ObjectValue body) {
            events.accept(new Event(id, body));
          }
        } else if (line.isEmpty()) {
          id = Optional.empty();
        }
      }
    }
  }

  /// A text that every answer of this kind has.
  String required(Value answer, String pointer) {
    var found = text(answer, pointer);
    if (found.isEmpty()) {
      throw foreign();
    }
    return found;
  }

  private CommandException foreign() {
    return new CommandException(
        "%s does not answer as Superstep does; is --server right?".formatted(base));
  }

  private URI address(String path) {
    var root = base.toString();
    return URI.create((root.endsWith("/") ? root.substring(0, root.length() - 1) : root) + path);
  }

  private Value exchange(HttpUriRequestBase request) {
    try {
      return send(request, ApiClient::body);
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private CommandException unreachable(IOException e) {
    return new CommandException(
        "%s does not answer (%s); is it running, and is --server right?"
            .formatted(base, e.getMessage()));
  }

  private static boolean isConnectFailure(IOException e) {
    return e instanceof ConnectException || e instanceof UnknownHostException;
  }

  /// Reads what came.
  @FunctionalInterface
  private interface Reading {
    Value read(ClassicHttpResponse response) throws IOException, ParseException;
  }

  private Value send(HttpUriRequestBase request, Reading reading) throws IOException {
    key.ifPresent(it -> request.setHeader("Authorization", "Bearer " + it));
    return client.execute(
        request,
        response -> {
          if (response.getCode() / 100 != 2) {
            throw refused(request, response, body(response));
          }
          return reading.read(response);
        });
  }

  private static Value body(ClassicHttpResponse response) throws IOException, ParseException {
    if (response.getEntity() == null) {
      return Value.NULL;
    }
    var text = EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8, BODY_MAX);
    try {
      return Json.read(text);
    } catch (JsonException _) {
      return Value.of(text);
    }
  }

  private static CommandException refused(
      HttpUriRequestBase request, ClassicHttpResponse response, Value problem) {
    var location = response.getFirstHeader("Location");
    var all =
        Pointer.find(problem, "/errors").orElse(Value.NULL) instanceof ListValue errors
                && (errors.size() > 1 || errors.stream().anyMatch(it -> !at(it).isEmpty()))
            ? errors.stream()
                .map(it ->
                    "\n  %s%s %s: %s"
                        .formatted(
                            at(it), text(it, "/pointer"), text(it, "/code"), text(it, "/message")))
                .collect(Collectors.joining())
            : "";
    return new CommandException(
        "%s %s: %d %s: %s%s"
            .formatted(
                request.getMethod(),
                request.getRequestUri(),
                response.getCode(),
                location == null ? text(problem, "/code") : "to " + location.getValue(),
                location == null ? text(problem, "/detail") : "is --server right?",
                all));
  }

  /// Where it is in the text that was sent.
  private static String at(Value error) {
    var line = text(error, "/line");
    return line.isEmpty() ? "" : "%s:%s: ".formatted(line, text(error, "/column"));
  }

  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }
}
