package dev.superstep.bench;

import dev.superstep.bench.HttpWorkload.Chain;
import dev.superstep.bench.WorkloadGraphs.Purity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The service or one of its peers, in a process of its own over a database of its own.
final class Engine implements AutoCloseable {
  private static final Path PEERS = Path.of("src/server/bench/peers");
  private static final String INGRESS = "INGRESS_PORT";
  private final Kind kind;
  private final Sql database;
  private final Path folder;
  private final Map<String, String> settings;
  private ServiceChild child;

  private Engine(Kind kind, Sql database, Path folder, Map<String, String> settings)
      throws Exception {
    this.kind = kind;
    this.database = database;
    this.folder = folder;
    this.settings = settings;
    child = process();
  }

  /// What `run.sh` of the peers builds, by the name that it has on the command line.
  enum Kind {
    OURS("Superstep"),
    DBOS("DBOS"),
    RESTATE("Restate"),
    LANGGRAPH("LangGraph JS"),
    TEMPORAL("Temporal test server");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /// For people.
    String label() {
      return label;
    }

    /// Whether it runs W6 and W4.
    boolean chains() {
      return this == OURS || this == DBOS || this == RESTATE;
    }

    /// Whether it runs W7.
    boolean converses() {
      return this != RESTATE;
    }

    /// The test server keeps everything in memory.
    boolean outlivesItsProcess() {
      return this != TEMPORAL;
    }

    /// Whether a new process continues runs without being asked to.
    boolean goesOnAlone() {
      return this != LANGGRAPH;
    }
  }

  /// A chain of ten, by the name that it has in the report.
  record Row(String name, Chain chain) {}

  static Engine start(Kind kind, Bench bench) throws Exception {
    return start(kind, bench, Map.of());
  }

  /// @param others variables of its environment
  static Engine start(Kind kind, Bench bench, Map<String, String> others) throws Exception {
    var settings = new HashMap<>(others);
    settings.put(INGRESS, "" + ServiceChild.freePort());
    return new Engine(kind, bench.freshDatabase(), bench.options().output(), settings);
  }

  /// The service and the peers that the options name and that run W6, started.
  static List<Engine> startAll(Bench bench) throws Exception {
    var engines = new ArrayList<Engine>();
    try {
      engines.add(start(Kind.OURS, bench));
      for (var kind : bench.options().peers()) {
        if (kind.chains()) {
          engines.add(start(kind, bench));
        }
      }
      return engines;
    } catch (Exception e) {
      closeAll(engines);
      throw e;
    }
  }

  static void closeAll(List<Engine> engines) throws InterruptedException {
    for (var engine : engines) {
      engine.close();
    }
  }

  private ServiceChild process() throws Exception {
    var name = "engine-" + kind;
    return kind == Kind.OURS
        ? ServiceChild.start(database, folder, name, settings)
        : ServiceChild.startPeer(command(kind), database, folder, name, settings);
  }

  private static List<String> command(Kind kind) throws IOException {
    return switch (kind) {
      case OURS -> throw new IllegalArgumentException("the service is no peer");
      case DBOS -> java("peers.DbosPeer");
      case RESTATE -> node("restate.mjs");
      case LANGGRAPH -> node("langgraph.mjs");
      case TEMPORAL -> java("peers.TemporalPeer");
    };
  }

  private static List<String> node(String script) throws IOException {
    return List.of("node", built(PEERS.resolve(script), "node_modules"));
  }

  private static List<String> java(String main) throws IOException {
    var classes = built(PEERS.resolve("target/classes"), "lib");
    var path = classes + ":" + PEERS.resolve("target/lib").toAbsolutePath() + "/*";
    return List.of(ServiceChild.java(), "-cp", path, main);
  }

  private static String built(Path what, String libraries) throws IOException {
    if (Files.notExists(what) || Files.notExists(what.resolveSibling(libraries).normalize())) {
      throw new IOException("%s is not built; see %s/run.sh".formatted(what, PEERS));
    }
    return what.toAbsolutePath().toString();
  }

  Kind kind() {
    return kind;
  }

  Sql database() {
    return database;
  }

  /// Where runs are started.
  String url() {
    return kind == Kind.RESTATE ? "http://127.0.0.1:" + settings.get(INGRESS) : child.url();
  }

  List<Row> rows() {
    return switch (kind) {
      case OURS ->
          List.of(
              new Row("pure nodes", HttpWorkload.PURE),
              new Row("nodes that may call out", HttpWorkload.EFFECTFUL));
      case DBOS ->
          List.of(
              new Row("ten recorded steps", HttpWorkload.PURE),
              new Row("plain code", new Chain("w6-plain", KernelRuns.CHAIN, Purity.PURE)));
      case RESTATE ->
          List.of(
              new Row(
                  "ten recorded steps",
                  new Chain("w1", KernelRuns.CHAIN, Purity.PURE, "/chain/run")));
      case LANGGRAPH, TEMPORAL -> List.of();
    };
  }

  QuestionWorkload.Dialogue dialogue() {
    return kind == Kind.RESTATE ? new RestateDialogue() : QuestionWorkload.OURS;
  }

  /// The graphs of the service; a peer has its own.
  void postGraphs() throws IOException {
    if (kind == Kind.OURS) {
      for (var row : rows()) {
        row.chain().post(url());
      }
      try (var line = new HttpLine(url())) {
        line.postYaml("/v1/graphs", WorkloadGraphs.question("w4")).orThrow();
      }
    }
  }

  /// The memory that its first process has now, in bytes.
  long residentBytes() {
    return Processes.residentBytes(child.pid());
  }

  Cost cost() throws SQLException {
    return Cost.ofTree(child.pid(), database);
  }

  /// SIGKILL.
  void kill() throws InterruptedException {
    child.kill();
  }

  /// Starts a new process over the database.
  void restart() throws Exception {
    child = process();
  }

  @Override
  public void close() throws InterruptedException {
    child.close();
  }

  /// A workflow whose caller chooses its key: its handlers return when it has put its question, and
  /// when it has ended.
  private record RestateDialogue() implements QuestionWorkload.Dialogue {
    @Override
    public String ask(HttpLine line) throws IOException {
      var key = UUID.randomUUID().toString();
      line.postJson("/question/%s/run/send".formatted(key), "{}").orThrow();
      line.postJson("/question/%s/asked".formatted(key), "{}").orThrow();
      return key;
    }

    @Override
    public void answer(HttpLine line, String question) throws IOException {
      var ended = line.postJson("/question/%s/answer".formatted(question), "\"yes\"").orThrow();
      if (!ended.body().contains("\"counter\":2")) {
        throw new IllegalStateException("it did not succeed: " + ended.body());
      }
    }
  }
}
