package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.superstep.run.RunQueries;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// E41: what it takes to show the questions of all descendants of a run.
@AgentTest
class SubgraphQuestionsTests {
  @LocalServerPort int port;
  @Autowired RunQueries queries;

  @BeforeEach
  void connects() {
    var service = new Service(port);
    service.graph(
        """
        name: many-ask
        nodes: [{ id: person, type: human, config: { payload: "Well?", answer_to: said } }]
        edges: [{ from: __start__, to: person }]
        """);
    service.graph(
        """
        name: many-fan
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ fan_out('each', state.numbers, 'n') }}" }
            targets: [each]
          - { id: each, type: subgraph, config: { graph: many-ask } }
        edges: [{ from: __start__, to: plan }]
        """);
  }

  @Test
  void readsTheQuestionsOfAllChildrenInOneStatement() {
    var two = asking("[1, 2]");
    var seven = asking("[1, 2, 3, 4, 5, 6, 7]");

    assertThat(statements(two)).hasSize(1);
    assertThat(statements(seven)).hasSize(1);
  }

  private String asking(String numbers) {
    var input = SubgraphApiTests.input("{\"numbers\": %s}".formatted(numbers));
    var run = Service.text(new Service(port).run("many-fan", input), "/id");
    int all = numbers.split(",", -1).length;
    await().until(() -> queries.run(run).interrupts().size() == all);
    assertThat(queries.run(run).interrupts())
        .extracting(it -> it.place().path().size())
        .containsOnly(1);
    return run;
  }

  /// Those that read questions.
  private List<String> statements(String run) {
    var sent = new ListAppender<ILoggingEvent>();
    sent.start();
    var loggers = new ArrayList<Logger>();
    for (var name : List.of("org.hibernate.SQL", "org.springframework.jdbc.core.JdbcTemplate")) {
      var logger = (Logger) LoggerFactory.getLogger(name);
      logger.setLevel(Level.DEBUG);
      logger.setAdditive(false);
      logger.addAppender(sent);
      loggers.add(logger);
    }
    try {
      assertThat(queries.run(run).interrupts()).isNotEmpty();
    } finally {
      loggers.forEach(it -> {
        it.detachAppender(sent);
        it.setAdditive(true);
        it.setLevel(null);
      });
    }
    return List.copyOf(sent.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(it -> it.contains("from interrupt"))
        .toList();
  }
}
