package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// Threads whose metadata is as large as it may be, and costs as much to compare as it can: lists
/// in a list, of which only the last is searched for.
@RunTest
class ThreadSearchTimeTests {
  private static final int THREADS = 2_500;
  private static final String TIMEOUT = "select current_setting('statement_timeout')";

  private static final ThreadOrder OLDEST_FIRST =
      new ThreadOrder(ThreadOrder.By.CREATED_AT, ThreadOrder.Direction.ASCENDING);
  private static final ThreadOrder NEWEST_FIRST =
      new ThreadOrder(ThreadOrder.By.CREATED_AT, ThreadOrder.Direction.DESCENDING);

  @Autowired private RunActions on;
  @Autowired private TransactionOperations transaction;
  private final String mark = fresh("mark");

  private void insert(int threads) {
    on.jdbc()
        .sql(
            """
            insert into thread (id, created_at, metadata)
            select :mark || it, now() - it * interval '1 second',
                   '{"mark":"' || :mark || '","lists":[' || repeat('[1],', 3900) || '[0]]}'
              from generate_series(1, :threads) as it
            """)
        .param("mark", mark)
        .param("threads", threads)
        .update();
  }

  @AfterEach
  void deletes() {
    on.jdbc().sql("delete from thread where id like ?").param(mark + "%").update();
  }

  private ThreadFilter filter(Set<String> ids, String lists) {
    var metadata = "{\"mark\":\"%s\",\"lists\":[%s]}".formatted(mark, lists);
    return new ThreadFilter(
        ids, new MetadataFilter((ObjectValue) Json.read(metadata)), Set.of(), false);
  }

  /// No thread has all of it, which only comparing shows: the index has all the numbers.
  private ThreadFilter costly() {
    return filter(Set.of(), "[0],".repeat(30) + "[0,1]");
  }

  @Test
  void refusesSearchesThatCompareForTooLong() {
    insert(THREADS);

    isRefused(() -> on.threads().search(costly(), Page.Request.first(10)));
    isRefused(() -> on.threads().count(costly(), THREADS));
    isRefused(() -> on.threads().list(costly(), OLDEST_FIRST, 0, 10));
    // Rows come in time, but too many of them.
    isRefused(() ->
        on.threads().list(filter(Set.of(), "[0],".repeat(31) + "[0]"), NEWEST_FIRST, 0, THREADS));
  }

  private static void isRefused(ThrowingCallable search) {
    assertThatThrownBy(search)
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> {
              assertThat(it.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
              assertThat(it.errors().getFirst().pointer()).isEqualTo("/metadata");
            });
  }

  @Test
  void findsWhatIsComparedInTime() {
    insert(2);
    var one = mark + "1";
    assertThat(on.threads().search(filter(Set.of(one), "[0],[1]"), Page.Request.first(9)).items())
        .extracting(ThreadSummary::id)
        .containsExactly(one);
    assertThat(on.threads().count(filter(Set.of(), "[2]"), 1_000)).isZero();
  }

  /// Of the other statements of the transaction, which may take as long as ever.
  @Test
  void leavesTheTimeoutAsItWas() {
    insert(1);
    var timeouts =
        transaction.execute(_ -> {
          var before = on.jdbc().sql(TIMEOUT).query(String.class).single();
          var _ = on.threads().count(filter(Set.of(mark + "1"), "[0]"), 10);
          return List.of(before, on.jdbc().sql(TIMEOUT).query(String.class).single());
        });

    assertThat(timeouts).doesNotContain("2s").hasSize(2);
    assertThat(timeouts.getFirst()).isEqualTo(timeouts.getLast());
  }
}
