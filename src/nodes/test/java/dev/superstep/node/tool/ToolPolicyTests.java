package dev.superstep.node.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.Glob;
import dev.superstep.secret.AllowedGraphs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolPolicyTests {

  /// A name that another tenant's graph has gives it nothing; posting asks for the name alone.
  @ParameterizedTest
  @CsvSource({
    "order, order, true, true",
    "order, acme/order, false, true",
    "*-billing, acme/x-billing, false, true",
    "*, acme/order, false, true",
    "acme/*, acme/order, true, true",
    "acme/*, acme/order#part, true, true",
    "acme/order, acme/order, true, true",
    "acme/order, order, false, true",
    "acme/order, globex/order, false, true",
    "acme/order, acme/refund, false, false",
    "globex/*, acme/order, false, true"
  })
  void permitsGraphsOfTheTenantThatItNames(
      String pattern, String graph, boolean permits, boolean mayPermit) {
    var policy =
        new ToolPolicy(
            List.of(
                new ToolPolicy.Rule(
                    List.of(Glob.of("*")),
                    AllowedGraphs.of("graphs", List.of(pattern)),
                    ToolSettings.Asking.DEFINED,
                    ToolPolicy.UNLIMITED,
                    ToolPolicy.UNLIMITED,
                    Optional.empty())));
    assertThat(policy.permits(graph)).isEqualTo(permits);
    assertThat(policy.mayPermit(graph.substring(graph.indexOf('/') + 1))).isEqualTo(mayPermit);
  }
}
