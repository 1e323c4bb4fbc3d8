package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.database.StatementLog;
import dev.superstep.database.StatementLog.Sent;
import dev.superstep.http.ApiTest;
import dev.superstep.run.EventView;
import dev.superstep.run.RunQueries;
import dev.superstep.run.stream.CommitReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// What a stream reads of each commit that it shows, however often it looks for commits.
@ApiTest
@Import(StatementLog.class)
class CommitStatementCountTests {
  private static final int STATEMENTS_MAX = 11;

  @LocalServerPort private int port;
  @Autowired private StatementLog log;
  @Autowired private RunQueries queries;

  private EventView lastCommit() {
    var api = new Api(port);
    api.graph(Graphs.counter("count-commits", 3));
    var run = api.run("count-commits", Map.of());
    assertThat(run.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    return queries.events(run.getId(), 0, Set.of("superstep.committed"), 10).getLast();
  }

  /// What this thread has sent.
  private List<Sent> sentBy(Runnable reading) {
    log.clear();
    reading.run();
    var mine = Thread.currentThread().getName();
    return log.sent().stream().filter(it -> it.thread().equals(mine)).toList();
  }

  /// It is found, viewed and compared with the one before.
  @Test
  void readsACommitInOneTransaction() {
    var commits = new CommitReader(queries);
    var event = lastCommit();
    assertThat(commits.commit(event)).isPresent();

    var sent = sentBy(() -> commits.commit(event));

    assertThat(sent).filteredOn(Sent::isEnd).hasSize(1);
    assertThat(sent).filteredOn(it -> !it.isEnd()).hasSizeBetween(1, STATEMENTS_MAX);
  }
}
