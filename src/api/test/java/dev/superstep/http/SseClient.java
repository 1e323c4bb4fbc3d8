package dev.superstep.http;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A reader of server-sent events, as browsers are: it keeps the last id, whatever came with it.
public final class SseClient implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpResponse<InputStream> answer;
  private final BufferedReader lines;
  private String lastId = "";

  /// @param id "" for live events
  public record Message(String id, String type, Value data) {

    public String text(String pointer) {
      return Pointer.find(data, pointer).orElse(Value.NULL) instanceof Value.Text(var text)
          ? text
          : "";
    }

    public long number(String pointer) {
      return Pointer.find(data, pointer).orElse(Value.NULL) instanceof Value.Int(var number)
          ? number
          : -1;
    }
  }

  private SseClient(HttpRequest.Builder request, String... headers) {
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      answer = client.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  public static SseClient get(int port, String path, String... headers) {
    return new SseClient(HttpRequest.newBuilder(uri(port, path)), headers);
  }

  public static SseClient post(int port, String path, String body, String... headers) {
    return new SseClient(
        HttpRequest.newBuilder(uri(port, path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)),
        headers);
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  public int status() {
    return answer.statusCode();
  }

  public String header(String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /// With which to come again.
  public String lastId() {
    return lastId;
  }

  /// The next event; null: the stream has ended.
  public @Nullable Message next() {
    var id = "";
    var type = "";
    var data = "";
    try {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
          lastId = id;
        } else if (line.startsWith("event: ")) {
          type = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else if (line.isEmpty() && !data.isEmpty()) {
          return new Message(id, type, Json.read(data));
        } else if (line.isEmpty()) {
          id = "";
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads until there is such an event.
  public Message until(Predicate<Message> wanted) {
    for (var message = next(); message != null; message = next()) {
      if (wanted.test(message)) {
        return message;
      }
    }
    throw new AssertionError("the stream has ended");
  }

  /// All there are until the stream ends.
  public List<Message> rest() {
    var all = new ArrayList<Message>();
    for (var message = next(); message != null; message = next()) {
      all.add(message);
    }
    return all;
  }

  /// The text that pieces make up.
  public static String text(List<Message> messages) {
    return messages.stream()
        .filter(it -> it.type().equals("message.delta"))
        .map(it -> it.text("/data/text"))
        .collect(Collectors.joining());
  }

  /// Goes away.
  @Override
  public void close() {
    try {
      answer.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      client.shutdownNow();
    }
  }
}
