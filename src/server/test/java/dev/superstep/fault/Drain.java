package dev.superstep.fault;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/// SIGTERM to a replica while clients post to it, over connections that they keep until an answer
/// says that the connection closes; then they go to another replica, as balancers do. What was
/// accepted is in the database, what was refused is not, and no connection breaks without an
/// answer. Nobody takes its place: what it had accepted and what was in flight ends at the others.
///
/// @param runs in flight at all replicas
/// @param clients that post other ones, one after another
record Drain(int runs, int clients) implements Scenario {
  static final Map<String, String> SETTINGS = Map.of("SUPERSTEP_GRACE", "2s");

  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final String SHAPE = "drained";
  private static final String GRAPH =
      """
      name: drained
      nodes: [ { id: only, type: expression, config: { update: { noted: true } } } ]
      edges: [ { from: __start__, to: only } ]
      """;

  @Override
  public String name() {
    return "drain under load";
  }

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(2).with(SETTINGS);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    cluster.define(GRAPH);
    var load = new Load(cluster, SHAPE);
    Verdict.after(
        stage,
        load,
        () -> {
          load.start(runs);
          var posts = new Posts(cluster.replicas().getFirst(), cluster.replicas().getLast());
          drain(stage, posts);
          judge(stage, posts);
          posts.accepted.forEach(it -> load.adopt(it, SHAPE));
        });
  }

  /// Until the process has ended.
  private void drain(Stage stage, Posts posts) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < clients; i++) {
      threads.add(Thread.ofVirtual().start(posts));
    }
    Awaitility.await("accepted posts").until(() -> posts.accepted.size() > 5 * clients);
    posts.victim.terminate();
    stage.tally().fault("sigterm");
    posts.victim.awaitEnd();
    for (var thread : threads) {
      thread.join();
    }
    posts.http.close();
    stage.tally().figurePlus("posts_accepted", posts.accepted.size());
    stage.tally().figurePlus("posts_refused", posts.refused.get());
    stage.tally().figurePlus("clients_sent_elsewhere", posts.moved.get());
  }

  private void judge(Stage stage, Posts posts) {
    var tally = stage.tally();
    posts.accepted.forEach(_ -> stage.cluster().newKey());
    var missing = new HashSet<>(posts.accepted);
    missing.removeAll(stored(stage.cluster()));
    missing.forEach(it -> tally.violation("drain: %s was accepted and is gone".formatted(it)));
    posts.unclear.forEach(it -> tally.violation("drain: a post ended with " + it));
    if (posts.moved.get() != clients) {
      tally.violation(
          "drain: %d of %d clients were sent away".formatted(posts.moved.get(), clients));
    }
  }

  private static List<String> stored(Cluster cluster) {
    return cluster
        .jdbc()
        .sql("select id from run where graph = ?")
        .param(SHAPE)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// What each client does, and what became of all posts.
  private static final class Posts implements Runnable {
    final Replica victim;
    final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    final Set<String> accepted = ConcurrentHashMap.newKeySet();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger moved = new AtomicInteger();
    final Queue<String> unclear = new ConcurrentLinkedQueue<>();
    private final Replica other;

    Posts(Replica victim, Replica other) {
      this.victim = victim;
      this.other = other;
    }

    @Override
    public void run() {
      var replica = victim;
      try {
        while (victim.alive()) {
          if (post(replica)) {
            Thread.sleep(PAUSE);
          } else if (replica != other) {
            // The other one closes connections, too, after a hundred requests on each.
            moved.incrementAndGet();
            replica = other;
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /// Whether the connection stays open.
    private boolean post(Replica replica) throws InterruptedException {
      var body = "{\"graph\":\"drained\",\"input\":{}}";
      var headers = Map.of("Content-Type", "application/json");
      var request =
          Cluster.posting(replica, "/v1/runs", body, headers)
              .timeout(Duration.ofSeconds(20))
              .build();
      try {
        var answer = http.send(request, BodyHandlers.ofString());
        switch (answer.statusCode()) {
          case 200, 202 -> accepted.add(Replica.Answer.of(answer).text("id"));
          case 503 -> refused.incrementAndGet();
          default -> unclear.add(answer.statusCode() + " " + answer.body());
        }
        return !answer.headers().firstValue("Connection").orElse("").equals("close");
      } catch (ConnectException _) {
        refused.incrementAndGet();
        return false;
      } catch (IOException e) {
        unclear.add(e.toString());
        return false;
      }
    }
  }
}
