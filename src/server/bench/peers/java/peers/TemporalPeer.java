package peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;

/// W7 by Temporal's test server, which keeps everything in memory: what counts is the size of the
/// history. The conversation is the argument of every call of the model, as workflows of agents
/// pass it.
public final class TemporalPeer {
  private static final String QUEUE = "bench";
  private final TestWorkflowEnvironment environment;

  private TemporalPeer(TestWorkflowEnvironment environment) {
    this.environment = environment;
  }

  @WorkflowInterface
  public interface Agent {
    @WorkflowMethod
    int converse();
  }

  @ActivityInterface
  public interface Calls {
    @ActivityMethod
    Map<String, Object> askModel(List<Map<String, Object>> messages) throws Exception;

    @ActivityMethod
    Map<String, Object> callTool(Map<String, Object> asking) throws Exception;
  }

  public static final class AgentWorkflow implements Agent {
    private final Calls calls =
        Workflow.newActivityStub(
            Calls.class,
            ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build());

    @Override
    public int converse() {
      try {
        var messages = Conversation.begin();
        var said = calls.askModel(messages);
        messages.add(said);
        while (Conversation.asksForTool(said)) {
          messages.add(calls.callTool(said));
          said = calls.askModel(messages);
          messages.add(said);
        }
        return messages.size();
      } catch (Exception e) {
        throw Workflow.wrap(e);
      }
    }
  }

  private record HttpCalls(String server) implements Calls {
    @Override
    public Map<String, Object> askModel(List<Map<String, Object>> messages) throws Exception {
      return Conversation.askModel(server, messages);
    }

    @Override
    public Map<String, Object> callTool(Map<String, Object> asking) throws Exception {
      return Conversation.callTool(server, asking);
    }
  }

  public static void main(String[] args) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    var options = TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build();
    var environment = TestWorkflowEnvironment.newInstance(options);
    var worker = environment.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(AgentWorkflow.class);
    worker.registerActivitiesImplementations(new HttpCalls(System.getenv("TOOLS_URL")));
    environment.start();
    var port = Integer.parseInt(System.getenv("SERVER_PORT"));
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", new TemporalPeer(environment)::serve);
    server.start();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      var isRun = exchange.getRequestURI().getPath().equals("/v1/runs");
      send(exchange, 200, isRun ? run() : "{}");
    } catch (RuntimeException e) {
      e.printStackTrace();
      send(exchange, 500, "the workflow failed");
    }
  }

  private String run() {
    var id = UUID.randomUUID().toString();
    var options = WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId(id).build();
    var agent = environment.getWorkflowClient().newWorkflowStub(Agent.class, options);
    agent.converse();
    var run = WorkflowStub.fromTyped(agent).getExecution().getRunId();
    var history = environment.getWorkflowClient().fetchHistory(id, run).getHistory();
    return "{\"status\":\"succeeded\",\"historyBytes\":%d}".formatted(history.getSerializedSize());
  }

  private static void send(HttpExchange exchange, int status, String answer) throws IOException {
    var bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
