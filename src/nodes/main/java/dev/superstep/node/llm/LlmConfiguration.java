package dev.superstep.node.llm;

import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.expression.Expressions;
import dev.superstep.model.ModelPace;
import dev.superstep.model.ModelPermits;
import dev.superstep.model.Models;
import dev.superstep.model.SpendingGate;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.node.tool.ToolsOfGraphs;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// What asks models. Its methods are called by Spring, and by the reader that works without it.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MetricsSettings.class)
public class LlmConfiguration {
  private final ModelPermits models;
  private final ModelCalls calls;

  LlmConfiguration(
      MeterRegistry meters,
      MetricsSettings settings,
      SpendingGate gate,
      ModelPace pace,
      ModelPermits models) {
    this.models = models;
    calls = new ModelCalls(meters, new CountedNodes(settings), gate, new PacedCalls(pace), models);
  }

  /// Where no operator has set anything.
  public static LlmConfiguration unset(MeterRegistry meters) {
    return new LlmConfiguration(
        meters, MetricsSettings.UNSET, SpendingGate.OPEN, ModelPace.NONE, ModelPermits.unset());
  }

  @Bean
  public List<NodeType> nodeTypesWithModels(
      Expressions expressions, Models models, ToolsOfGraphs tools, ToolPermits permits) {
    return List.of(
        new LlmNodeType(
            expressions,
            new LlmNodeType.PermittedModels(models, this.models),
            tools,
            permits,
            calls));
  }

  @Bean
  public List<SummarizerType> summarizersWithModels(Models models) {
    return List.of(new LlmSummarizer(models, this.models, calls));
  }
}
