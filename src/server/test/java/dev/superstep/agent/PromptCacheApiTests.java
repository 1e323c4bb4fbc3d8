package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.stub.AnthropicStub;
import dev.superstep.model.stub.AnthropicStub.Counted;
import dev.superstep.model.stub.Asked;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What agents read from the caches of providers.
@AgentTest
class PromptCacheApiTests {
  @LocalServerPort int port;
  @Autowired AnthropicStub claude;
  @Autowired Script script;
  private Service service = new Service(0);
  private int before;

  @BeforeEach
  void connects() {
    service = new Service(port);
    before = claude.counted().size();
  }

  private void agent(String name, String model) {
    service.graph(
        """
        name: %s
        limits: { max_supersteps: 300 }
        channels: { messages: { reducer: messages } }
        nodes:
          - id: llm
            type: llm
            config: { model: %s, tools: [weather, chatter, lookup], system: "%s" }
          - { id: tools, type: tool }
        edges:
          - { from: __start__, to: llm }
          - { from: llm, route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'", targets: [tools, __end__] }
          - { from: tools, to: llm }
        """
            .formatted(name, model, "You talk. ".repeat(500)));
  }

  private List<Counted> counted() {
    return claude.counted().subList(before, claude.counted().size());
  }

  private LongStream counted(ToLongFunction<Counted> part) {
    return counted().stream().mapToLong(part);
  }

  /// Calls a model once, of which no other call has the text.
  private Counted once(String name, String config, String edges) {
    service.graph(
        """
        name: %s
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: split, type: expression, config: { dispatch: [{ node: llm, input: {} }] }, targets: [llm] }
          - { id: llm, type: llm, config: { model: with-cache, %s } }
        edges: [{ from: __start__, to: %s }]
        """
            .formatted(name, config, edges));
    service.say(name, "Read this for " + name + ". " + "A long text. ".repeat(700));
    assertThat(counted()).hasSize(1);
    return counted().getFirst();
  }

  /// Writing into a cache costs more than it saves where nothing of it is read.
  @Test
  void writesNothingOfACallThatMayBeTheLast() {
    assertThat(once("cache-once", "system: 'Today is {{ now }}.'", "llm").written()).isZero();
  }

  @Test
  void writesNothingOfDispatchedTasks() {
    assertThat(once("cache-sent", "tools: [weather]", "split").written()).isZero();
  }

  @Test
  void writesWhatAnAgentBeginsWith() {
    assertThat(once("cache-tools", "tools: [weather]", "llm").written()).isGreaterThan(2_000);
  }

  @Test
  void writesNothingOfANodeThatSwitchesItOff() {
    assertThat(once("cache-off", "tools: [weather], cache: 'off'", "llm").written()).isZero();
    assertThat(claude.asked().getLast().text()).doesNotContain("cache_control");
  }

  /// A hundred calls: all but the new part of each is read from the cache, by the provider's count.
  @Test
  void readsMostOfTheInputOfALongAgentFromTheCache() {
    agent("cache-long", "with-cache");

    var run = service.say("cache-long", "Talk to me");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(counted()).hasSize(100);
    long input = counted(Counted::input).sum();
    long read = counted(Counted::read).sum();
    long written = counted(Counted::written).sum();
    assertThat((double) read / input).isGreaterThan(0.95);

    run = service.get("/v1/runs/" + Service.text(run, "/id"));
    assertThat(Service.at(run, "/usage/input_tokens")).isEqualTo(Value.of(input));
    assertThat(Service.at(run, "/usage/cached_input_tokens")).isEqualTo(Value.of(read));
    assertThat(Service.at(run, "/usage/nodes/0/cached_input_tokens")).isEqualTo(Value.of(read));
    assertThat(Service.at(run, "/usage/cache_write_tokens")).isEqualTo(Value.of(written));
    assertThat(new BigDecimal(Service.text(run, "/usage/cost")))
        .isEqualByComparingTo(cost(input - read - written, read, written));
    var last = ((ListValue) Service.at(run, "/output/messages")).size() - 1;
    assertThat(
            Service.at(
                run, "/output/messages/%d/metadata/usage/cached_input_tokens".formatted(last)))
        .isEqualTo(Value.of(counted().getLast().read()));
  }

  private static BigDecimal cost(long plain, long read, long written) {
    return BigDecimal.valueOf(plain)
        .multiply(new BigDecimal("4"))
        .add(BigDecimal.valueOf(read).multiply(new BigDecimal("0.4")))
        .add(BigDecimal.valueOf(written).multiply(new BigDecimal("5")))
        .movePointLeft(6);
  }

  private Value inThread(String words) {
    return service.post(
        "/v1/runs?wait=30s",
        Json.read(
            """
            {"graph": "cache-stable", "thread_id": "thread-of-bytes",
             "input": {"messages": [{"role": "user", "content": "%s"}]}}
            """
                .formatted(words)));
  }

  /// Providers that need no marks compare bytes: each request begins with the one before it, in a
  /// later run of the thread as well.
  @Test
  void sendsWhatItHasSentBefore() {
    agent("cache-stable", "scripted");
    var call =
        new Reply.Call("c", "weather", "{\"city\": \"Paris\", \"at\": 1.50, \"a\": [1, {}]}");
    script.says(
        "stable", Reply.calls(call, call), Reply.calls(call), Reply.text("So"), Reply.text("Yes"));

    assertThat(Service.text(inThread("#stable"), "/status")).isEqualTo("succeeded");
    assertThat(Service.text(inThread("and on"), "/status")).isEqualTo("succeeded");

    var texts = script.asked("stable").stream().map(Asked::text).toList();
    assertThat(texts).hasSize(4);
    for (int i = 1; i < texts.size(); i++) {
      int end = texts.get(i - 1).indexOf("],\"model\"");
      assertThat(texts.get(i)).startsWith(texts.get(i - 1).substring(0, end));
      assertThat(texts.get(i)).endsWith(texts.get(i - 1).substring(end));
    }
  }
}
