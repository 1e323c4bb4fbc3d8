package dev.superstep.node.tool.source;

import dev.superstep.node.outbound.Outbound;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolSettings;
import dev.superstep.node.tool.ToolSource;
import dev.superstep.node.tool.Tools;
import dev.superstep.secret.Secrets;
import java.util.ArrayList;
import java.util.List;
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
}
