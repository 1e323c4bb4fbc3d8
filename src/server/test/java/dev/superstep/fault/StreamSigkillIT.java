package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.fault.extension.Reporter;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.model.stub.OpenAiStub;
import dev.superstep.model.stub.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A replica is killed with SIGKILL while a function of its reports and a model of its writes; who
/// watches at the other replica, which goes on, has each event of the tasks in the end, once, and
/// the answer of the model, whether he has stayed, has joined in the middle, or comes again.
class StreamSigkillIT {
  private static final String SAID = "piece by piece it comes";
  private static final String ANSWER = "another answer";
  private static final String NO_MORE = "";

  private static final List<String> COMMITTED =
      List.of("metadata", "values", "updates", "tasks", "checkpoints", "debug");

  private static final String ALL_MODES =
      "?stream_mode=values&stream_mode=updates&stream_mode=messages-tuple&stream_mode=messages"
          + "&stream_mode=tasks&stream_mode=checkpoints&stream_mode=debug&stream_mode=custom";

  private static final String MESSAGES = "?stream_mode=messages-tuple";
  private static final String[] FROM_THE_BEGIN = {"Last-Event-ID", "-1"};

  private static final String BEGIN =
      """
      {"assistant_id": "tells", "input": {"messages": [{"type": "human", "content": "go"}]}}\
      """;

  private static final String GRAPH =
      """
      name: tells
      channels: { messages: { reducer: messages } }
      nodes:
        - { id: say, type: llm, config: { model: stub, stream: true } }
        - { id: tell, type: function, config: { function: reporter, arguments: { url: 'URL' } } }
      edges: [{ from: __start__, to: [say, tell] }]
      """;

  @TempDir Path folder;

  /// What the function is to report next; [#NO_MORE] ends its call.
  private final BlockingQueue<String> words = new ArrayBlockingQueue<>(8);

  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger arrived = new AtomicInteger();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void showsEachEventOnceAndTheWholeAnswerAtTheOtherReplica() throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
    try (var model = OpenAiStub.start(0, _ -> reply());
        var postgres = new Postgres(folder);
        var cluster = cluster(postgres, model.url())) {
      cluster.replicas().forEach(Replica::start);
      cluster.replicas().forEach(Replica::awaitReady);
      var url = "http://127.0.0.1:" + server.getAddress().getPort();
      cluster.define(GRAPH.replace("URL", url));
      watch(cluster);
    } finally {
      end.countDown();
      server.stop(0);
    }
  }

  private void watch(Cluster cluster) throws Exception {
    var driver = cluster.replicas().getFirst();
    int other = cluster.replicas().getLast().port();
    var client = new FaceClient(driver.port());
    var runs = "/threads/" + client.post("/threads", "{}").ok().at("/thread_id") + "/runs";
    var run = client.post(runs, BEGIN).ok().at("/run_id");
    var path = "/langgraph" + runs + "/" + run + "/stream";
    try (var stays = new Watcher(SseClient.get(other, path + ALL_MODES, FROM_THE_BEGIN));
        var reads = new Watcher(SseClient.get(other, path + MESSAGES, FROM_THE_BEGIN));
        var leaves = new Watcher(SseClient.get(other, path + ALL_MODES, FROM_THE_BEGIN));
        var plain = new Watcher(SseClient.get(other, "/v1/runs/" + run + "/stream"))) {
      List.of(stays, reads, leaves).forEach(it -> it.until(StreamSigkillIT::hasText));
      words.addAll(List.of("a", "b"));
      stays.until(it -> isWord(it, "b"));
      leaves.until(it -> isWord(it, "b"));
      plain.until(it -> it.text("/data/data").equals("b"));
      try (var joins = new Watcher(SseClient.get(other, path + ALL_MODES, FROM_THE_BEGIN))) {
        joins.until(StreamSigkillIT::hasText);

        Awaitility.await().until(() -> arrived.get() > 2);
        driver.kill();
        words.addAll(List.of("for the call that was cut off", "a", "x", NO_MORE));
        leaves.leave();
        var comes = leaves.again(other, path + ALL_MODES);

        var all = List.of(stays.rest(), joins.rest(), comes.rest());
        var replayed = SseClient.get(other, path + ALL_MODES, FROM_THE_BEGIN).rest();
        check(all, replayed);
        assertThat(texts(reads.rest()).values()).last().isEqualTo(ANSWER);
        checkEvents(plain.rest());
      }
    }
  }

  /// @param all of who has stayed, who has joined and who has come again
  private static void check(List<List<Message>> all, List<Message> replayed) {
    var stayed = all.getFirst();
    assertThat(customs(stayed)).containsExactly("a", "b", "x", "end");
    assertThat(customs(all.get(1))).containsExactly("a", "x", "end");
    assertThat(customs(replayed)).containsExactly("a", "x", "end");
    for (var seen : all) {
      assertThat(committed(seen)).isEqualTo(committed(replayed));
      assertThat(ids(seen)).doesNotHaveDuplicates();
      assertThat(answers(seen)).last().isEqualTo(ANSWER);
    }
    var metadata = stayed.stream().filter(it -> it.type().equals("metadata")).toList();
    assertThat(metadata).extracting(it -> it.number("/attempt")).containsExactly(1L, 2L);
    assertThat(stayed.indexOf(metadata.getLast()))
        .isBetween(index(stayed, "b"), index(stayed, "x"));
  }

  /// Of the first API.
  private static void checkEvents(List<Message> events) {
    var customs = events.stream().filter(it -> it.type().equals("custom")).toList();
    assertThat(customs.stream().filter(it -> !it.id().isEmpty()))
        .extracting(it -> it.text("/data/data"))
        .containsExactly("a", "x", "end");
    var live = customs.stream().filter(it -> it.id().isEmpty()).toList();
    assertThat(live).extracting(it -> it.text("/data/data")).containsExactly("a", "b", "a", "x");
    assertThat(live.stream().map(it -> it.text("/data/attempt_id")).distinct()).hasSize(2);
    assertThat(live.get(1).text("/data/attempt_id"))
        .isEqualTo(live.get(0).text("/data/attempt_id"));
    assertThat(ids(events)).doesNotHaveDuplicates();
    var types = events.stream().map(Message::type).toList();
    assertThat(types.indexOf("run.taken_over"))
        .isBetween(events.indexOf(live.get(1)), events.indexOf(live.get(2)));
    var texts = new LinkedHashMap<String, String>();
    for (var it : events) {
      if (it.type().equals("message.delta")) {
        texts.merge(it.text("/data/text_id"), it.text("/data/text"), String::concat);
      }
    }
    assertThat(texts).hasSize(2);
    assertThat(SAID).startsWith(texts.firstEntry().getValue());
    assertThat(texts.lastEntry().getValue()).isEqualTo(ANSWER);
  }

  private Cluster cluster(Postgres postgres, String model) throws IOException {
    var settings = new HashMap<>(ExtensionJar.of(folder, Reporter.class));
    settings.put("SUPERSTEP_MODELS_STUB_BASEURL", model);
    settings.put("SUPERSTEP_MODELS_STUB_MODEL", "stub-1");
    return new Cluster(
        postgres, Installation.shared(), folder, Cluster.Options.of(2).with(Map.copyOf(settings)));
  }

  private Reply reply() {
    return asked.getAndIncrement() == 0 ? new Reply.Held(SAID, end) : Reply.text(ANSWER);
  }

  private void serve(HttpExchange exchange) throws IOException {
    arrived.incrementAndGet();
    try (exchange) {
      var word = words.take().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(
          word.length == 0 ? 204 : 200, word.length == 0 ? -1 : word.length);
      exchange.getResponseBody().write(word);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// A reader of a stream, with what it has got.
  private record Watcher(SseClient stream, List<Message> got) implements AutoCloseable {
    Watcher(SseClient stream) {
      this(stream, new ArrayList<>());
    }

    void until(Predicate<Message> last) {
      got.add(
          stream.until(it -> {
            boolean found = last.test(it);
            if (!found) {
              got.add(it);
            }
            return found;
          }));
    }

    Watcher again(int port, String path) {
      return new Watcher(SseClient.get(port, path, "Last-Event-ID", stream.lastId()), got);
    }

    List<Message> rest() {
      got.addAll(stream.rest());
      return got;
    }

    @Override
    public void close() {
      leave();
    }

    void leave() {
      stream.close();
    }
  }

  /// Whether the model has begun to write.
  private static boolean hasText(Message message) {
    return message.type().equals("messages") && !message.text("/0/type").equals("human");
  }

  private static boolean isWord(Message message, String word) {
    return message.type().equals("custom") && FaceClient.find(message.data(), "").equals(word);
  }

  private static int index(List<Message> all, String word) {
    return (int) all.stream().takeWhile(it -> !isWord(it, word)).count();
  }

  private static List<String> customs(List<Message> all) {
    return all.stream()
        .filter(it -> it.type().equals("custom"))
        .map(it -> FaceClient.find(it.data(), ""))
        .toList();
  }

  /// The last bit of an id says whether the client has parts of messages.
  private static List<Message> committed(List<Message> all) {
    return all.stream()
        .filter(it -> COMMITTED.contains(it.type()))
        .map(it -> new Message(Long.toString(Long.parseLong(it.id()) | 1), it.type(), it.data()))
        .toList();
  }

  /// A piece has one id in both forms.
  private static List<String> ids(List<Message> all) {
    return all.stream()
        .filter(it -> !it.type().equals("messages/partial"))
        .map(Message::id)
        .filter(it -> !it.isEmpty())
        .toList();
  }

  /// As states have it.
  private static List<String> answers(List<Message> all) {
    return all.stream()
        .filter(it -> it.type().equals("values"))
        .map(it -> it.text("/messages/1/content"))
        .toList();
  }

  /// By id, as LangGraph's clients put pieces together.
  private static Map<String, String> texts(List<Message> all) {
    var texts = new LinkedHashMap<String, String>();
    for (var it : all) {
      if (hasText(it)) {
        texts.merge(it.text("/0/id"), it.text("/0/content"), String::concat);
      }
    }
    return texts;
  }
}
