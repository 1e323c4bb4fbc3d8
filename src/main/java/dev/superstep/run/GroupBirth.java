package dev.superstep.run;

import dev.superstep.checkpoint.Lane;
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
/// their birth is part of a transaction.
@Component
class GroupBirth {
  private static final Logger log = LoggerFactory.getLogger(GroupBirth.class);

  private final BirthStatement statement;
  private final Lane<Owned> lane;

  /// @param owner who drives it from the start
  private record Owned(String owner, Birth birth) implements Lane.Member {
    @Override
    public long bytes() {
      return birth.bytes();
    }
  }

  GroupBirth(BirthStatement statement, Lane.Bounds bounds) {
    this.statement = statement;
    this.lane = new Lane<>(bounds, this::write);
  }

  /// When this returns, the birth knows what became of it.
  void bear(Optional<String> owner, Birth birth) {
    if (owner.isEmpty() || TransactionSynchronizationManager.isActualTransactionActive()) {
      statement.execute(owner, List.of(birth));
    } else {
      lane.write(new Owned(owner.get(), birth));
    }
  }

  /// The name of this replica may have changed between two births.
  private void write(List<Owned> batch) {
    var owners = batch.stream().map(Owned::owner).distinct().toList();
    for (var owner : owners) {
      var births = batch.stream().filter(it -> it.owner().equals(owner)).map(Owned::birth).toList();
      together(owner, births);
    }
  }

  private void together(String owner, List<Birth> births) {
    try {
      statement.execute(Optional.of(owner), births);
    } catch (TransientDataAccessException | DataAccessResourceFailureException e) {
      births.forEach(it -> it.failed(e));
    } catch (DataAccessException e) {
      if (births.size() == 1) {
        births.getFirst().failed(e);
      } else {
        log.debug("{} births take place one by one", births.size(), e);
        births.forEach(it -> together(owner, List.of(it)));
      }
    } catch (RuntimeException e) {
      births.forEach(it -> it.failed(e));
    }
  }
}
