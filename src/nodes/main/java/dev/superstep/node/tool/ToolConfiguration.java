package dev.superstep.node.tool;

import dev.superstep.json.Json;
import dev.superstep.node.http.Outbound;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Collects the tools of this server.
@Configuration(proxyBeanMethods = false)
class ToolConfiguration {

  @Bean
  JavaTools javaTools(ListableBeanFactory beans, ToolSettings settings) {
    return JavaTools.of(beans, settings);
  }

  @Bean
  Tools tools(
      List<ToolSource> beans,
      ToolSettings settings,
      StubToolSettings stubs,
      Outbound outbound,
      Secrets secrets) {
    List<Tool> http =
        settings.http().keySet().stream()
            .<Tool>map(it -> HttpTool.of(it, settings, outbound, secrets))
            .toList();
    var sources = new ArrayList<ToolSource>();
    sources.add(() -> http);
    List<Tool> stub =
        stubs.stub().entrySet().stream()
            .<Tool>map(
                it -> StubTool.of(it.getKey(), it.getValue(), settings.execution(it.getKey())))
            .toList();
    sources.add(() -> stub);
    sources.addAll(beans);
    settings
        .mcp()
        .forEach((name, server) -> sources.add(new McpTools(name, settings, server, secrets)));
    return new Tools(sources);
  }

  /// A tool that answers from a script of the operator, as scripted models do.
  ///
  /// @param answer `{name}` stands for that argument
  private record StubTool(Description description, String answer) implements Tool {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z0-9_]+)}");

    static StubTool of(String name, StubToolSettings.StubEntry entry, Execution execution) {
      return new StubTool(
          new Description(
              name,
              entry.description(),
              (ObjectValue) Json.read(entry.parameters()),
              execution,
              "stub"),
          entry.answer());
    }

    @Override
    public Outcome call(Invocation invocation) {
      return new Outcome.Answered(
          PLACEHOLDER
              .matcher(answer)
              .replaceAll(it -> Matcher.quoteReplacement(argument(invocation, it.group(1)))));
    }

    private static String argument(Invocation invocation, String name) {
      return switch (invocation.arguments().getOr(name, Value.of(""))) {
        case Value.Text(var text) -> text;
        case Value other -> Json.write(other);
      };
    }
  }
}
