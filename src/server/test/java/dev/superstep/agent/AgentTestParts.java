package dev.superstep.agent;

import dev.superstep.context.JavaContextFilter;
import dev.superstep.model.stub.AnthropicStub;
import dev.superstep.model.stub.Reply;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.MergeFunction;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistrar;

/// The model and the tools of agent tests.
@TestConfiguration(proxyBeanMethods = false)
class AgentTestParts {

  @Bean(destroyMethod = "close")
  Script script() throws IOException {
    return new Script();
  }

  /// Asks for a tool ninety-nine times, and then answers.
  @Bean(destroyMethod = "close")
  AnthropicStub claude() throws IOException {
    return AnthropicStub.start(asked -> {
      long turn =
          asked.messages().stream().filter(it -> "assistant".equals(it.get("role"))).count();
      var call = new Reply.Call("c" + turn, "chatter", "{\"chars\": 900}");
      return turn < 99 ? Reply.calls(call) : Reply.text("That was much");
    });
  }

  @Bean(destroyMethod = "close")
  ToolServer toolServer() throws IOException {
    return new ToolServer();
  }

  @Bean
  Traces traces() {
    return new Traces();
  }

  @Bean
  SpanProcessor spans(Traces traces) {
    return traces.processor();
  }

  @Bean
  TestTools testTools() {
    return new TestTools();
  }

  @Bean
  TestFilters testFilters() {
    return new TestFilters();
  }

  /// For the definition of an example, which is posted and not run.
  @Bean("merge_contexts")
  MergeFunction mergeContexts() {
    return (left, _) -> left;
  }

  @Bean
  JavaContextFilter former() {
    return TestFilters.named("former");
  }

  @Bean
  JavaContextFilter latter() {
    return TestFilters.named("latter");
  }

  @Bean
  JavaContextFilter broken() {
    return (_, _) -> {
      throw new IllegalStateException("no luck");
    };
  }

  @Bean
  JavaContextFilter mute(TestFilters filters) {
    return filters.mute();
  }

  @Bean
  Teller teller() {
    return new Teller();
  }

  @Bean
  Announcer announcer() {
    return new Announcer();
  }

  @Bean
  NodeFunction writer() {
    return (_, _, _) -> FunctionResult.done().update("log", List.of("work"));
  }

  @Bean
  Asker asker() {
    return new Asker();
  }

  @Bean
  DynamicPropertyRegistrar addresses(Script script, AnthropicStub claude, ToolServer tools) {
    return registry -> {
      registry.add("superstep.models.with-cache.base-url", claude::url);
      registry.add("superstep.models.scripted.base-url", script::url);
      registry.add("superstep.tools.http.lookup.url", () -> tools.url() + "/lookup/{word}");
      registry.add("superstep.tools.http.lookup.method", () -> "GET");
      registry.add("superstep.tools.http.lookup.description", () -> "Looks a word up.");
      registry.add("superstep.tools.http.lookup.api-key", () -> "property:agent-test.key");
      registry.add(
          "superstep.tools.http.lookup.parameters",
          () ->
              "{\"type\":\"object\",\"properties\":{\"word\":{\"type\":\"string\"},\"lang\":{\"type\":\"string\"}},\"required\":[\"word\"]}");
      registry.add("superstep.tools.http.shaky.url", () -> tools.url() + "/shaky");
      registry.add("superstep.tools.http.shaky.description", () -> "Breaks off.");
    };
  }
}
