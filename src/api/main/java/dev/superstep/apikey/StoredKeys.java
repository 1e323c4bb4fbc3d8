package dev.superstep.apikey;

import dev.superstep.apikey.KeyRows.Max;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.security.Caller;
import dev.superstep.security.Credentials;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/// Makes, finds and revokes keys.
@Service
public class StoredKeys implements Credentials {
  /// How many keys there can be.
  public static final int KEYS_MAX = 1000;

  /// How many of them come from one stored key, or from the bearer of tokens. The keys of the
  /// settings can always make one.
  static final int MADE_MAX = 100;

  private static final Duration USE_NOTED = Duration.ofMinutes(5);
  private final KeyRows rows;
  private final DatabaseClock clock;
  private final SecureRandom random = new SecureRandom();
  private final KnownKeys known;

  StoredKeys(KeyRows rows, DatabaseClock clock) {
    this.rows = rows;
    this.clock = clock;
    this.known = new KnownKeys(rows::byId, System::nanoTime);
  }

  @Override
  public Optional<Caller> caller(String key) {
    var now = clock.instant();
    return KeySecret.read(key)
        .flatMap(secret ->
            known
                .find(secret.id())
                .filter(it -> secret.has(it.digest()))
                .map(KeyRows.Row::key)
                .filter(it -> !it.isExpired(now)))
        .map(it -> {
          noteUse(it, now);
          return new Caller(it.id(), it.scopes(), it.expiresAt(), () -> isRevoked(it.id()));
        });
  }

  /// Whom the database does not tell keeps what it has.
  private boolean isRevoked(String id) {
    try {
      return known.find(id).isEmpty();
    } catch (DataAccessException _) {
      return false;
    }
  }

  /// At most once in five minutes, so that a call is not also a write.
  private void noteUse(StoredKey key, Instant now) {
    var before = now.minus(USE_NOTED);
    if (key.lastUsedAt().filter(it -> it.isAfter(before)).isEmpty()) {
      rows.noteUse(key.id(), now, before);
      known.forget();
    }
  }

  public MadeKey make(NewKey wanted) {
    var secret = KeySecret.random(random);
    var now = clock.instant();
    var key =
        new StoredKey(
            secret.id(),
            wanted.name(),
            wanted.scopes(),
            now,
            wanted.createdBy(),
            wanted.expiresAt().map(it -> it.truncatedTo(ChronoUnit.MICROS)),
            Optional.empty());
    try {
      if (!rows.insert(key, secret.digest(), wanted.root(), new Max(KEYS_MAX, MADE_MAX))) {
        throw new ServiceException(
            ErrorCode.LIMIT_EXCEEDED,
            "this caller and the keys that come from it have made %d keys, or there are %d of all"
                    .formatted(MADE_MAX, KEYS_MAX)
                + " callers, which is as many as there can be; revoke some");
      }
    } catch (DuplicateKeyException e) {
      var failure =
          new ServiceException(
              ErrorCode.KEY_EXISTS,
              "there is a key named '%s'; revoke it first, or choose another name"
                  .formatted(wanted.name()));
      failure.initCause(e);
      throw failure;
    }
    known.forget();
    return new MadeKey(key, secret.text());
  }

  /// All keys, by name. Expired ones stay until they are revoked.
  public List<StoredKey> all() {
    return rows.all();
  }

  public void revoke(String id) {
    boolean deleted = rows.delete(id);
    known.forget();
    if (!deleted) {
      throw new ServiceException(ErrorCode.KEY_NOT_FOUND, "there is no key '%s'".formatted(id));
    }
  }
}
