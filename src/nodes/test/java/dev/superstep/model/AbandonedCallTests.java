package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.ModelRequest.Delivery;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.mock.env.MockEnvironment;

/// Calls that nobody waits for any more, of providers that would go on for half a minute.
class AbandonedCallTests {
  private static final Duration SOON = Duration.ofSeconds(10);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch heard = new CountDownLatch(1);

  /// Done when the server sees that its connection is closed.
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private ServerSocket server = new ServerSocket();

  AbandonedCallTests() throws IOException {}

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void end() throws IOException {
    server.close();
    threads.shutdownNow();
  }

  /// What the server sends once it is asked, before it only waits to be left.
  private void serve(Consumer<OutputStream> answer) {
    threads.execute(() -> {
      try (var socket = server.accept()) {
        var in = socket.getInputStream();
        readHead(in);
        asked.countDown();
        threads.execute(() -> answer.accept(output(socket)));
        while (in.read() >= 0) {
          // the rest of the request
        }
        closed.complete(null);
      } catch (IOException _) {
        closed.complete(null);
      }
    });
  }

  private static OutputStream output(Socket socket) {
    try {
      return socket.getOutputStream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void readHead(InputStream in) throws IOException {
    int newlines = 0;
    while (newlines < 2) {
      int read = in.read();
      newlines = read == '\n' ? newlines + 1 : read == '\r' ? newlines : 0;
    }
  }

  @ParameterizedTest
  @EnumSource(value = Provider.class, mode = Mode.EXCLUDE, names = "STUB")
  void closesTheConnectionOfAWholeCallThatIsInterrupted(Provider provider) throws Exception {
    serve(_ -> {});
    interrupt(call(provider, new Delivery.Whole()), asked);

    assertThat(closed).succeedsWithin(SOON);
  }

  @ParameterizedTest
  @EnumSource(value = Provider.class, mode = Mode.EXCLUDE, names = "STUB")
  void closesTheConnectionOfAStreamThatHasNotBegun(Provider provider) throws Exception {
    serve(_ -> {});
    interrupt(call(provider, streamed(_ -> {})), asked);

    assertThat(closed).succeedsWithin(SOON);
  }

  @ParameterizedTest
  @EnumSource(value = Provider.class, mode = Mode.EXCLUDE, names = "STUB")
  void closesTheConnectionOfAStreamThatSaysNothingMore(Provider provider) throws Exception {
    serve(out -> pieces(out, provider, 1));
    interrupt(call(provider, streamed(_ -> heard.countDown())), heard);

    assertThat(closed).succeedsWithin(SOON);
  }

  @ParameterizedTest
  @EnumSource(value = Provider.class, mode = Mode.EXCLUDE, names = "STUB")
  void closesTheConnectionOfAStreamThatGoesOn(Provider provider) throws Exception {
    serve(out -> pieces(out, provider, 3_000));
    interrupt(call(provider, streamed(_ -> heard.countDown())), heard);

    assertThat(closed).succeedsWithin(SOON);
  }

  /// Although its server has more to say, or nothing for a long time.
  @Test
  void closesTheConnectionOfAStreamThatCannotBeRead() throws Exception {
    serve(out -> pieces(out, Provider.OPENAI, 1, "data: {\"object\":\"ping\"}\n\n"));
    var caller = call(Provider.OPENAI, streamed(_ -> {}));

    assertThat(caller.join(SOON)).isTrue();
    assertThat(closed).succeedsWithin(SOON);
  }

  /// A server that keeps a stream open behind the last piece delays its answer, and loses nothing.
  @Test
  void doesNotWaitForTheEndOfAStreamWhoseAnswerIsThere() throws Exception {
    var last =
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    serve(out -> pieces(out, Provider.OPENAI, 1, piece(Provider.OPENAI) + last));
    var answer = new FutureTask<>(() -> model(Provider.OPENAI).call(request(streamed(_ -> {}))));
    Thread.ofVirtual().start(answer);

    assertThat(answer.get(10, TimeUnit.SECONDS).text()).isEqualTo("word");
    assertThat(closed).succeedsWithin(SOON);
  }

  @ParameterizedTest
  @EnumSource(value = Provider.class, mode = Mode.EXCLUDE, names = "STUB")
  void closesTheConnectionIfTheReaderFails(Provider provider) throws Exception {
    serve(out -> pieces(out, provider, 3_000));
    var caller =
        call(
            provider,
            streamed(_ -> {
              heard.countDown();
              throw new IllegalStateException("no more of it");
            }));

    assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(caller.join(SOON)).isTrue();
    assertThat(closed).succeedsWithin(SOON);
  }

  private static void interrupt(Thread caller, CountDownLatch when) throws InterruptedException {
    assertThat(when.await(20, TimeUnit.SECONDS)).isTrue();
    caller.interrupt();
    assertThat(caller.join(SOON)).isTrue();
  }

  private Thread call(Provider provider, Delivery delivery) {
    var model = model(provider);
    return Thread.ofVirtual()
        .start(() -> {
          try {
            model.call(request(delivery));
          } catch (ModelException | InterruptedException _) {
            // how it ends, other tests say
          }
        });
  }

  private Model model(Provider provider) {
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new MockEnvironment()));
    var url = "http://127.0.0.1:" + server.getLocalPort();
    var entry =
        new ModelSettings.ModelEntry(
            provider, url, "tiny", null, Duration.ofSeconds(30), "", Map.of(), null);
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        "m",
        entry,
        new ModelFailures("m", apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO));
  }

  private static ModelRequest request(Delivery delivery) {
    var message = ObjectValue.of("role", Value.of("user")).plus("content", Value.of("Hi"));
    return new ModelRequest(
        List.of(message), List.of(), Optional.empty(), ObjectValue.empty(), delivery);
  }

  private static Delivery streamed(Consumer<String> reader) {
    return new Delivery.Streamed(() -> reader);
  }

  private static void pieces(OutputStream out, Provider provider, int count) {
    pieces(out, provider, count, piece(provider));
  }

  private static void pieces(OutputStream out, Provider provider, int count, String piece) {
    try {
      var type = provider == Provider.OLLAMA ? "application/x-ndjson" : "text/event-stream";
      write(out, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n".formatted(type));
      if (provider == Provider.ANTHROPIC) {
        write(
            out,
            claude(
                "message_start",
                "\"message\":{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"tiny\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":12,\"output_tokens\":1}}"));
        write(
            out,
            claude(
                "content_block_start",
                "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"));
      }
      for (int i = 0; i < count; i++) {
        write(out, piece);
        Thread.sleep(10);
      }
    } catch (IOException _) {
      // it is closed
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static String piece(Provider provider) {
    return switch (provider) {
      case OPENAI ->
          "data:"
              + " {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"tiny\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"word\"},\"finish_reason\":null}]}\n\n";
      case ANTHROPIC ->
          claude(
              "content_block_delta",
              "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"word\"}");
      case OLLAMA ->
          "{\"model\":\"tiny\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":\"assistant\",\"content\":\"word\"},\"done\":false}\n";
      case STUB -> throw new IllegalArgumentException("no server");
    };
  }

  private static String claude(String type, String rest) {
    return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, rest);
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
