package dev.superstep.run.start;

import dev.superstep.checkpoint.WriteBatcher;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Lets runs that are started at the same moment share a statement, and so a write to disk, unless
/// their insert is part of a transaction.
@Component
class RunInsertBatcher {
  private static final Logger log = LoggerFactory.getLogger(RunInsertBatcher.class);

  private final InsertRunsStatement statement;
  private final WriteBatcher<Owned> writeBatcher;

  /// @param owner that drives it from the start
  private record Owned(String owner, RunInsert runInsert) implements WriteBatcher.Member {
    @Override
    public long bytes() {
      return runInsert.bytes();
    }
  }

  RunInsertBatcher(InsertRunsStatement statement, WriteBatcher.Bounds bounds) {
    this.statement = statement;
    this.writeBatcher = new WriteBatcher<>(bounds, this::write);
  }

  /// When this returns, the insert has its result.
  void insert(Optional<String> owner, RunInsert runInsert) {
    if (owner.isEmpty() || TransactionSynchronizationManager.isActualTransactionActive()) {
      statement.execute(owner, List.of(runInsert));
    } else {
      writeBatcher.write(new Owned(owner.get(), runInsert));
    }
  }

  /// The name of this replica may have changed between two inserts.
  private void write(List<Owned> batch) {
    var owners = batch.stream().map(Owned::owner).distinct().toList();
    for (var owner : owners) {
      var runInserts =
          batch.stream().filter(it -> it.owner().equals(owner)).map(Owned::runInsert).toList();
      together(owner, runInserts);
    }
  }

  private void together(String owner, List<RunInsert> runInserts) {
    try {
      statement.execute(Optional.of(owner), runInserts);
    } catch (TransientDataAccessException | DataAccessResourceFailureException e) {
      runInserts.forEach(it -> it.failed(e));
    } catch (DataAccessException e) {
      if (runInserts.size() == 1) {
        runInserts.getFirst().failed(e);
      } else {
        log.debug("{} runs are inserted one by one", runInserts.size(), e);
        runInserts.forEach(it -> together(owner, List.of(it)));
      }
    } catch (RuntimeException e) {
      runInserts.forEach(it -> it.failed(e));
    }
  }
}
