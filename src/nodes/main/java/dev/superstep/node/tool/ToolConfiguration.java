package dev.superstep.node.tool;

import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.ToolDefinitions;
import dev.superstep.expression.Expressions;
import dev.superstep.json.Json;
import dev.superstep.json.KeptSchemas;
import dev.superstep.node.CallbackSettings;
import dev.superstep.node.http.Outbound;
import dev.superstep.secret.CallerTokens;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.Secrets;
import dev.superstep.secret.ToolsOnBehalf;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Collects the tools of this server, and makes what calls them. Its public methods are called by
/// Spring, and by the reader that works without it.
@Configuration(proxyBeanMethods = false)
public class ToolConfiguration {
  private final ToolSettings settings;

  ToolConfiguration(ToolSettings settings) {
    this.settings = settings;
  }

  /// Where no operator has set anything.
  public static ToolConfiguration unset() {
    return new ToolConfiguration(ToolSettings.UNSET);
  }

  @Bean
  public ToolSource javaTools(ListableBeanFactory beans) {
    return JavaTools.of(beans, settings);
  }

  @Bean
  public ToolPermits toolPermits(Expressions expressions) {
    return new ToolPermits(new ToolPolicies(settings, expressions));
  }

  @Bean
  public ToolsOfGraphs toolsOfGraphs(
      Tools tools, Outbound outbound, Secrets secrets, ReleasedSecrets released) {
    return new ToolsOfGraphs(tools, new DefinedTools(outbound, secrets, released, tools));
  }

  @Bean
  public ToolDefinitions toolDefinitions(ToolsOfGraphs tools) {
    return tools.definitions();
  }

  @Bean
  public List<NodeType> nodeTypesWithTools(
      Expressions expressions,
      ToolsOfGraphs tools,
      KeptSchemas schemas,
      ToolPermits permits,
      ToolPins pins,
      CallCounts counts,
      MeterRegistry meters,
      CallbackSettings callbacks) {
    return List.of(
        new ToolNodeType(
            expressions,
            tools,
            schemas,
            permits.policies(),
            pins,
            new ToolCallRunner(
                Thread.ofVirtual().name("tool-", 0).factory(),
                settings.parallelMax(),
                settings.resultMax().toBytes(),
                counts,
                meters),
            callbacks));
  }

  @Bean
  ToolsOnBehalf toolsOnBehalf() {
    return settings.onBehalf();
  }

  @Bean
  Tools tools(
      List<ToolSource> beans,
      StubToolSettings stubs,
      Outbound outbound,
      Secrets secrets,
      ObjectProvider<CallerTokens> callers) {
    var tokens = callers.getIfAvailable(() -> CallerTokens.NONE);
    List<Tool> http =
        settings.http().keySet().stream()
            .<Tool>map(it -> HttpTool.of(it, settings, outbound, secrets, tokens))
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
        .forEach(
            (name, server) -> sources.add(new McpTools(name, settings, server, secrets, tokens)));
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
