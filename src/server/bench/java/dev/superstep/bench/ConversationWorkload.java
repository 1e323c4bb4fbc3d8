package dev.superstep.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/// W7: an agent that calls a tool a hundred times, each answer 5 KB long, and sends all messages to
/// the model after each. The model's server measures, so that engines need not: a step is from one
/// call of the model to the next.
final class ConversationWorkload {
  private static final long DEADLINE_SECONDS = 240;
  private static final int MIDDLE = 50;
  private static final Pattern HISTORY = Pattern.compile("\"historyBytes\"\\s*:\\s*(\\d+)");

  /// The nodes of the agents' page without its compaction: the model is sent everything.
  private static final String GRAPH =
      """
      name: w7
      channels: { messages: { reducer: messages }, max_iterations: { default: 1000 } }
      limits: { max_supersteps: 1000 }
      nodes:
        - { id: llm, type: llm, config: { tools: [document] } }
        - { id: tools, type: tool, config: { tools: [document] } }
      edges:
        - { from: __start__, to: llm }
        - from: llm
          route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'"
          targets: [tools, __end__]
        - { from: tools, to: llm }
      """;

  private static final String BODY =
      """
      {"graph": "w7", "thread_id": "%s",
       "input": {"messages": [{"role": "user", "content": "Read all documents."}]}}
      """;

  private final Bench bench;

  ConversationWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    measure(Engine.Kind.OURS);
    for (var peer : bench.options().peers()) {
      if (peer.converses()) {
        measure(peer);
      }
    }
  }

  private void measure(Engine.Kind kind) throws Exception {
    System.out.printf("%nW7 %s%n", kind.label());
    var script = new ReaderScript();
    try (var model = ModelServer.start(Duration.ZERO, script);
        var engine = Engine.start(kind, bench, settings(model.url()))) {
      if (kind == Engine.Kind.OURS) {
        try (var line = new HttpLine(engine.url())) {
          line.postYaml("/v1/graphs", GRAPH).orThrow();
        }
      }
      converse(engine, script, "first");
      whole(engine, script);
      if (kind.outlivesItsProcess()) {
        killed(engine, script);
      }
      model.check();
    }
  }

  private static Map<String, String> settings(String model) {
    return Map.of(
        "SUPERSTEP_EGRESS_ALLOW",
        "127.0.0.1:*",
        "SUPERSTEP_MODELS_EXAMPLE_BASEURL",
        model + "/v1",
        "SUPERSTEP_MODELS_EXAMPLE_MODEL",
        "stub",
        "SUPERSTEP_TOOLS_HTTP_DOCUMENT_URL",
        model + "/document/{id}",
        "SUPERSTEP_TOOLS_HTTP_DOCUMENT_METHOD",
        "GET",
        "SUPERSTEP_TOOLS_HTTP_DOCUMENT_DESCRIPTION",
        "Reads a document.",
        "SUPERSTEP_TOOLS_HTTP_DOCUMENT_PARAMETERS",
        "{\"type\": \"object\", \"properties\": {\"id\": {\"type\": \"string\"}},"
            + " \"required\": [\"id\"]}",
        "TOOLS_URL",
        model);
  }

  /// What a run writes, and how long its steps take.
  private void whole(Engine engine, ReaderScript script) throws Exception {
    long bytes = engine.database().tableBytes();
    long wal = engine.database().walBytes();
    long begun = System.nanoTime();
    var answer = converse(engine, script, "second");
    add(engine, "all", "the whole run", "s", (System.nanoTime() - begun) / 1e9);
    for (int step : new int[] {1, MIDDLE, ReaderScript.CALLS}) {
      add(engine, "step " + step, "a step around number " + step, "ms", script.stepMillis(step));
    }
    add(engine, "calls", "calls of the tool", "", script.told());
    if (engine.kind().outlivesItsProcess()) {
      add(engine, "bytes", "tables", "MB", (engine.database().tableBytes() - bytes) / 1e6);
      add(engine, "wal", "WAL", "MB", (engine.database().walBytes() - wal) / 1e6);
    } else {
      history(engine, answer);
    }
  }

  private void history(Engine engine, String answer) {
    var found = HISTORY.matcher(answer);
    if (!found.find()) {
      throw new IllegalStateException("no size: " + answer);
    }
    add(engine, "history", "history", "MB", Long.parseLong(found.group(1)) / 1e6);
  }

  /// SIGKILL while the model is asked after fifty calls of the tool.
  private void killed(Engine engine, ReaderScript script) throws Exception {
    script.begin();
    script.holdAt(MIDDLE);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      callers.submit(conversation(engine, "third"));
      script.awaitHeld(DEADLINE_SECONDS);
      long killed = System.nanoTime();
      engine.kill();
      script.release();
      engine.restart();
      add(engine, "restart", "after SIGKILL, new process answers", "s", since(killed));
      if (!engine.kind().goesOnAlone()) {
        callers.submit(conversation(engine, "third"));
      }
      script.awaitEnd(DEADLINE_SECONDS);
      add(engine, "resumed", "after SIGKILL, next call of the model", "s", script.resumed(killed));
    }
  }

  private static double since(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private static String converse(Engine engine, ReaderScript script, String thread)
      throws Exception {
    script.begin();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = callers.submit(conversation(engine, thread));
      try {
        return answer.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("after %d calls of the tool".formatted(script.told()), e);
      }
    }
  }

  private static Callable<String> conversation(Engine engine, String thread) {
    return () -> {
      try (var line = new HttpLine(engine.url())) {
        var path = "/v1/runs?wait=60s";
        var answer = line.postJson(path, BODY.formatted(thread)).orThrow();
        if (!answer.body().contains("\"status\":\"succeeded\"")) {
          throw new IOException("it did not succeed: " + answer.body());
        }
        return answer.body();
      }
    };
  }

  private void add(Engine engine, String key, String what, String unit, double value) {
    var name = engine.kind().label();
    bench
        .figures()
        .add(Figure.of("W7 " + name + " " + key, "W7 %s, %s".formatted(name, what), unit), value);
  }
}
