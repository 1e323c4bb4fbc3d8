package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.FunctionSource;
import dev.superstep.definition.FunctionSource.FunctionDescription;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.expression.Expressions;
import dev.superstep.json.KeptSchemas;
import dev.superstep.json.Schemas;
import dev.superstep.model.ModelPace;
import dev.superstep.model.SpendingGate;
import dev.superstep.node.tool.CallCounts;
import dev.superstep.node.tool.ToolPins;
import dev.superstep.state.MergeFunction;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;

class NodeContextTests {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withUserConfiguration(Nodes.class);

  /// Not a `@Configuration`: the scan of the command line must not find it.
  @ComponentScan({"dev.superstep.node", "dev.superstep.model", "dev.superstep.secret"})
  @ConfigurationPropertiesScan({
    "dev.superstep.node",
    "dev.superstep.model",
    "dev.superstep.secret"
  })
  static class Nodes {
    private List<SummarizerType> summarizers = List.of();

    @Bean
    Expressions expressions() {
      return TestCall.EXPRESSIONS;
    }

    @Bean
    Summarizers summarizers(List<List<SummarizerType>> types) {
      summarizers = types.stream().flatMap(List::stream).toList();
      return new Summarizers(summarizers);
    }

    @Bean
    NodeTypes nodeTypes(List<List<NodeType>> types) {
      return new NodeTypes(types.stream().flatMap(List::stream).toList());
    }

    @Bean
    KeptSchemas schemas() {
      return new KeptSchemas();
    }

    @Bean
    ToolPins toolPins() {
      return ToolPins.NONE;
    }

    @Bean
    CallCounts counts() {
      return CallCounts.NONE;
    }

    @Bean
    SpendingGate spendingGate() {
      return SpendingGate.OPEN;
    }

    @Bean
    ModelPace modelPace() {
      return ModelPace.NONE;
    }

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  /// Without an annotation, or the scan above would find it.
  static class OfAUser {
    @Bean
    NodeFunction greet() {
      return (_, _, _) -> FunctionResult.done();
    }

    @Bean
    MergeFunction longest() {
      return (left, _) -> left;
    }
  }

  @Test
  void hasEveryNodeTypeOfTheSpec() {
    runner.run(context ->
        assertThat(context.getBean(NodeTypes.class).all())
            .extracting(NodeType::name)
            .containsExactlyInAnyOrder(
                "expression",
                "router",
                "function",
                "http",
                "human",
                "wait",
                "llm",
                "tool",
                "compact",
                "subgraph",
                "fail",
                "worker"));
  }

  /// They are compiled when a definition needs them, and not held against the schema of schemas.
  @Test
  void publishesSoundSchemas() {
    runner.run(context -> {
      var published =
          Stream.concat(
                  context.getBean(NodeTypes.class).all().stream().map(NodeType::configSchema),
                  context.getBean(Nodes.class).summarizers.stream()
                      .map(SummarizerType::configSchema))
              .toList();
      assertThat(published).hasSizeGreaterThan(15).allSatisfy(it -> Schemas.compile(it));
    });
  }

  @Test
  void startsWithoutFunctions() {
    runner.run(context -> assertThat(context.getBean(FunctionSource.class).functions()).isEmpty());
  }

  @Test
  void namesFunctionsByTheirBeans() {
    runner
        .withUserConfiguration(OfAUser.class)
        .run(context ->
            assertThat(context.getBean(FunctionSource.class).functions())
                .extracting(FunctionDescription::name)
                .containsExactly("greet", "longest"));
  }

  @Test
  void doesNotStartWithABrokenEgressPattern() {
    runner
        .withPropertyValues("superstep.egress.allow=127.0.0.1:*,http://a")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("holds 'http://a', no host[:port] pattern"));
  }

  @Test
  void readsItsSettings() {
    runner
        .withPropertyValues(
            "superstep.egress.allow=127.0.0.1:*,*.internal", "superstep.http.response-max=1MB")
        .run(context -> assertThat(context).hasNotFailed());
  }
}
