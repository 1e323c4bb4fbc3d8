package dev.superstep.run.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.run.RunTest;
import dev.superstep.run.webhook.DeliveryRows.DueReceiver;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Whose turn it is, in a transaction that is rolled back.
@RunTest
class DeliveryTurnsTests {
  private static final String FEW = "turns-few";
  private static final String MANY = "turns-many";

  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;
  @Autowired private DeliveryRows deliveries;
  @Autowired private RunReports reports;

  @Test
  void givesATenantItsTurnWhateverAnotherHasWaiting() {
    transaction.executeWithoutResult(status -> {
      // Runs that there are not.
      jdbc.sql("set local session_replication_role = replica").update();
      webhooks(FEW, 1);
      webhooks(MANY, 200);

      for (int i = 0; i < 20; i++) {
        assertThat(deliveries.dueReceivers(2))
            .extracting(DueReceiver::tenant)
            .containsExactlyInAnyOrder(FEW, MANY);
      }
      assertThat(reports.dueTenants()).contains(FEW, MANY);
      status.setRollbackOnly();
    });
  }

  private void webhooks(String tenant, int count) {
    jdbc.sql(
            """
            insert into webhook (id, tenant, url, events, graphs, description, signing, applies_from)
            select :tenant || n, :tenant, 'https://example.com/', '{}', '{}', '', '', now()
              from generate_series(1, :count) as n
            """)
        .param("tenant", tenant)
        .param("count", count)
        .update();
    jdbc.sql(
            """
            insert into delivery (id, webhook, run, seq, type, url, receiver, body, status,
                                  next_at, give_up_at)
            select :tenant || n, :tenant || n, :tenant || '/run', n, 'custom', '',
                   :tenant || n || ' ', '', 'pending', now() - interval '1 s', now()
              from generate_series(1, :count) as n
            """)
        .param("tenant", tenant)
        .param("count", count)
        .update();
    jdbc.sql(
            """
            insert into run_report (run, after_seq, through_seq, due_at)
            select :tenant || '/run', n - 1, n, now() - interval '1 s'
              from generate_series(1, :count) as n
            """)
        .param("tenant", tenant)
        .param("count", count)
        .update();
  }
}
