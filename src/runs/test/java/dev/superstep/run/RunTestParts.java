package dev.superstep.run;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Graphs made of lambdas, and what is done with runs of them.
@TestConfiguration(proxyBeanMethods = false)
public class RunTestParts {

  @Bean
  @Primary
  TestGraphs testGraphs() {
    return new TestGraphs();
  }

  @Bean
  RunActions runActions(
      TestGraphs graphs,
      RunService runs,
      RunQueries queries,
      ThreadQueries threads,
      RunWatch watch,
      JdbcClient jdbc) {
    return new RunActions(graphs, runs, queries, threads, watch, jdbc);
  }
}
