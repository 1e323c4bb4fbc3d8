package peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/// The rows by DBOS Transact behind the JDK's HTTP server, with the paths of the service, so that
/// one client measures both. Settings come from the environment that the service is given, too.
public final class DbosPeer {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int CONNECTIONS = 30;
  private static final int STEPS = 10;
  private static final Duration PATIENCE = Duration.ofDays(1);
  private static final Pattern GRAPH = Pattern.compile("\"graph\"\\s*:\\s*\"([^\"]+)\"");
  private static final Pattern INTERRUPT = Pattern.compile("/v1/interrupts/([^/]+)/answer");
  private final DBOS dbos;
  private final Work work;

  /// By workflow: who waits for the result without its handle looks for it once a second.
  private final Map<String, WorkflowHandle<Map<String, Object>, RuntimeException>> waiting =
      new ConcurrentHashMap<>();

  private DbosPeer(DBOS dbos, Work work) {
    this.dbos = dbos;
    this.work = work;
  }

  public interface Work {
    /// Ten steps, each recorded.
    Map<String, Object> chain();

    /// The same as plain code of the workflow: only its start and its end are recorded.
    Map<String, Object> plain();

    Map<String, Object> question();

    Map<String, Object> conversation() throws Exception;
  }

  private record Works(DBOS dbos, String tools) implements Work {
    @Override
    @Workflow
    public Map<String, Object> chain() {
      var messages = new ArrayList<Map<String, String>>();
      int counter = 0;
      for (int i = 0; i < STEPS; i++) {
        int number = i;
        messages.add(dbos.runStep(() -> message(number), "step"));
        counter++;
      }
      return Map.of("messages", messages, "counter", counter);
    }

    @Override
    @Workflow
    public Map<String, Object> plain() {
      var messages = new ArrayList<Map<String, String>>();
      for (int i = 0; i < STEPS; i++) {
        messages.add(message(i));
      }
      return Map.of("messages", messages, "counter", messages.size());
    }

    @Override
    @Workflow
    public Map<String, Object> question() {
      var first = dbos.runStep(() -> message(0), "a");
      dbos.setEvent("question", Texts.text(200));
      var answer = dbos.<String>recv("answer", PATIENCE).orElseThrow();
      var last = dbos.runStep(() -> message(1), "b");
      return Map.of("messages", List.of(first, last), "counter", 2, "answer", answer);
    }

    @Override
    @Workflow
    public Map<String, Object> conversation() throws Exception {
      var messages = Conversation.begin();
      var said = dbos.runStep(() -> Conversation.askModel(tools, messages), "model");
      messages.add(said);
      while (Conversation.asksForTool(said)) {
        var asking = said;
        messages.add(dbos.runStep(() -> Conversation.callTool(tools, asking), "tool"));
        said = dbos.runStep(() -> Conversation.askModel(tools, messages), "model");
        messages.add(said);
      }
      return Map.of("messages", messages, "counter", messages.size());
    }

    private static Map<String, String> message(int number) {
      return Map.of("role", "assistant", "id", "m" + number, "content", Texts.text(200));
    }
  }

  public static void main(String[] args) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    var dbos =
        new DBOS(
            DBOSConfig.defaults("bench")
                .withDataSource(new HikariDataSource(pool()))
                .withAppVersion("1")
                .withMigrate(true));
    var tools = System.getenv().getOrDefault("TOOLS_URL", "");
    var peer = new DbosPeer(dbos, dbos.registerProxy(Work.class, new Works(dbos, tools)));
    dbos.launch();
    var port = Integer.parseInt(System.getenv("SERVER_PORT"));
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", peer::serve);
    server.start();
  }

  private static HikariConfig pool() {
    var pool = new HikariConfig();
    pool.setJdbcUrl(System.getenv("SPRING_DATASOURCE_URL"));
    pool.setUsername(System.getenv("SPRING_DATASOURCE_USERNAME"));
    pool.setPassword(System.getenv("SPRING_DATASOURCE_PASSWORD"));
    pool.setMaximumPoolSize(CONNECTIONS);
    return pool;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      send(exchange, 200, answer(exchange.getRequestURI().getPath(), body));
    } catch (Exception e) {
      e.printStackTrace();
      send(exchange, 500, Map.of("error", e.toString()));
    }
  }

  private Map<String, Object> answer(String path, String body) throws Exception {
    var interrupt = INTERRUPT.matcher(path);
    if (interrupt.matches()) {
      dbos.send(interrupt.group(1), "yes", "answer");
      return ended(waiting.remove(interrupt.group(1)).getResult());
    }
    if (!path.equals("/v1/runs")) {
      return Map.of();
    }
    var graph = GRAPH.matcher(body).results().findFirst().orElseThrow().group(1);
    return switch (graph) {
      case "w4" -> ask();
      case "w6-plain" -> ended(work.plain());
      case "w7" -> ended(work.conversation());
      default -> ended(work.chain());
    };
  }

  /// Returns when the workflow has put its question.
  private Map<String, Object> ask() throws Exception {
    var started = dbos.startWorkflow(() -> work.question());
    var run = started.workflowId();
    waiting.put(run, started);
    var question = dbos.<String>getEvent(run, "question", PATIENCE).orElseThrow();
    return Map.of("interrupts", List.of(Map.of("id", run)), "question", question);
  }

  private static Map<String, Object> ended(Map<String, Object> state) {
    return Map.of("status", "succeeded", "state", state);
  }

  private static void send(HttpExchange exchange, int status, Map<String, Object> answer)
      throws IOException {
    var bytes = JSON.writeValueAsBytes(answer);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
