package dev.superstep.idempotency;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// Makes a call take effect once, however often it is sent and whatever crashes in between.
///
/// The key is stored in the transaction of the effect itself. There is no row that says "in
/// progress": that is a lock which the database drops with the transaction, so that a crash leaves
/// either the effect with its key, or neither.
@Service
public class Idempotency {
  private final IdempotencyRows rows;
  private final TransactionOperations transaction;

  Idempotency(IdempotencyRows rows, TransactionOperations transaction) {
    this.rows = rows;
    this.transaction = transaction;
  }

  /// Runs `effect` in a transaction of its own, or returns the answer of an earlier call.
  ///
  /// @param effect creates or changes something; it must do so in the current transaction. An
  ///   exception undoes everything and leaves the key unused
  /// @throws ServiceException `idempotency_key_reused` if the key was used with another body,
  ///   `idempotency_in_progress` while the first call runs
  public StoredAnswer once(IdempotencyKey key, Supplier<StoredAnswer> effect) {
    if (key.isAbsent()) {
      return effect.get();
    }
    return transaction.execute(_ -> onceInTransaction(key, effect));
  }

  /// The answer of an earlier call, for callers that look at what stands before their transaction:
  /// a repeated call finds it as the first one has left it, and would be refused.
  ///
  /// @throws ServiceException as [#once]
  public Optional<StoredAnswer> known(IdempotencyKey key) {
    return key.isAbsent()
        ? Optional.empty()
        : Objects.requireNonNull(transaction.execute(_ -> locked(key)));
  }

  private StoredAnswer onceInTransaction(IdempotencyKey key, Supplier<StoredAnswer> effect) {
    var known = locked(key);
    if (known.isPresent()) {
      return known.get();
    }
    var storedAnswer = effect.get();
    rows.store(key.scope(), key.requestHash(), storedAnswer);
    return storedAnswer;
  }

  /// Locks the key until the transaction ends.
  private Optional<StoredAnswer> locked(IdempotencyKey key) {
    var scope = key.scope();
    if (!rows.tryLock(scope)) {
      throw new ServiceException(
          ErrorCode.IDEMPOTENCY_IN_PROGRESS,
          "the first call with this Idempotency-Key is still running; try again");
    }
    return rows.find(scope).map(it -> replay(it, key));
  }

  private static StoredAnswer replay(IdempotencyEntity known, IdempotencyKey key) {
    if (!known.requestHash().equals(key.requestHash())) {
      throw new ServiceException(
          ErrorCode.IDEMPOTENCY_KEY_REUSED,
          "this Idempotency-Key was used with another body; use a new key for a new request");
    }
    return known.done().again();
  }
}
