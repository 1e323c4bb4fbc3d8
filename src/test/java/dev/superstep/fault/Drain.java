package dev.superstep.fault;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/// SIGTERM to a replica while clients post to it, over connections that they keep. Each post is
/// answered until the port is closed: what was accepted is in the database, what was refused is
/// not, and no connection breaks without an answer. Runs that were in flight go on elsewhere.
///
/// @param runs in flight at both replicas
/// @param clients that post other ones, one after another, to the one that ends
record Drain(int runs, int clients) implements Scenario {
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
    return Cluster.Options.of(2);
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
          var victim = cluster.replicas().getFirst();
          var posts = new Posts(victim);
          drain(stage, victim, posts);
          judge(stage, posts);
          posts.accepted.forEach(it -> load.adopt(it, SHAPE));
          victim.start();
          victim.awaitReady();
        });
  }

  /// Until the process has ended, and no client reaches it any more.
  private void drain(Stage stage, Replica victim, Posts posts) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < clients; i++) {
      threads.add(Thread.ofVirtual().start(posts));
    }
    Awaitility.await("accepted posts").until(() -> posts.accepted.size() > 5 * clients);
    int before = posts.accepted.size();
    victim.terminate();
    stage.tally().fault("sigterm");
    victim.awaitEnd();
    for (var thread : threads) {
      thread.join();
    }
    posts.http.close();
    stage.tally().figurePlus("accepted_before_the_drain", before);
    stage.tally().figurePlus("accepted_in_the_drain", posts.accepted.size() - before);
    stage.tally().figurePlus("refused_in_the_drain", posts.refused.get());
  }

  private static void judge(Stage stage, Posts posts) {
    posts.accepted.forEach(_ -> stage.cluster().newKey());
    var missing = new HashSet<>(posts.accepted);
    missing.removeAll(stored(stage.cluster()));
    missing.forEach(
        it -> stage.tally().violation("drain: %s was accepted and is gone".formatted(it)));
    posts.unclear.forEach(it -> stage.tally().violation("drain: a post ended with " + it));
  }

  private static List<String> stored(Cluster cluster) {
    return cluster
        .jdbc()
        .sql("select id from run where graph = ?")
        .param(SHAPE)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// One client after another runs this; what became of its posts.
  private static final class Posts implements Runnable {
    final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    final Set<String> accepted = ConcurrentHashMap.newKeySet();
    final AtomicInteger refused = new AtomicInteger();
    final ConcurrentLinkedQueue<String> unclear = new ConcurrentLinkedQueue<>();
    private final HttpRequest request;

    Posts(Replica replica) {
      request =
          Cluster.posting(
                  replica,
                  "/v1/runs",
                  "{\"graph\":\"drained\",\"input\":{}}",
                  Map.of("Content-Type", "application/json"))
              .timeout(Duration.ofSeconds(20))
              .build();
    }

    @Override
    public void run() {
      try {
        while (post()) {
          Thread.sleep(PAUSE);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /// Whether the replica could be reached.
    private boolean post() throws InterruptedException {
      try {
        var answer = http.send(request, BodyHandlers.ofString());
        switch (answer.statusCode()) {
          case 200, 202 -> accepted.add(Replica.Answer.of(answer).text("id"));
          case 503 -> refused.incrementAndGet();
          default -> unclear.add(answer.statusCode() + " " + answer.body());
        }
        return true;
      } catch (ConnectException _) {
        return false;
      } catch (IOException e) {
        unclear.add(e.toString());
        return true;
      }
    }
  }
}
