package dev.superstep.security;

import dev.superstep.database.TenantSettings;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.security.KeyRows.Max;
import dev.superstep.tenant.Tenant;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/// Makes, finds and revokes keys.
@Service
class StoredKeys implements Credentials {
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
  private final TenantSettings tenants;

  StoredKeys(KeyRows rows, DatabaseClock clock, TenantSettings tenants) {
    this.rows = rows;
    this.clock = clock;
    this.tenants = tenants;
    this.known = new KnownKeys(() -> Tenant.outside(rows::byId), System::nanoTime);
  }

  @Override
  public Optional<Caller> caller(String key) {
    return KeySecret.read(key).flatMap(this::caller);
  }

  private Optional<Caller> caller(KeySecret secret) {
    var now = clock.instant();
    return known
        .find(secret.id(), it -> takenUntil(it, secret, now).isPresent())
        .flatMap(it ->
            takenUntil(it, secret, now).map(end -> caller(it.key(), end, () -> isRevoked(secret))));
  }

  /// Whether a caller of this id has a key, and thus no token.
  boolean isKey(String id) {
    return known.find(id, _ -> true).isPresent();
  }

  /// The caller that has the key of this id, without its secret; empty: it is not taken any more.
  Optional<Caller> byId(String id) {
    var now = clock.instant();
    return known
        .find(id, _ -> true)
        .map(KeyRows.KeyRow::key)
        .filter(it -> tenants.enabled() || it.tenant().isDefault())
        .filter(it -> it.expiresAt().orElse(Instant.MAX).isAfter(now))
        .map(it -> caller(it, Instant.MAX, Caller.Revocation.NEVER));
  }

  /// A server that has no tenants takes no key of one: its bearer would be let in to what belongs
  /// to all.
  private Optional<Instant> takenUntil(KeyRows.KeyRow row, KeySecret secret, Instant now) {
    var tenant = row.key().tenant();
    return tenants.enabled() || tenant.isDefault()
        ? row.takenUntil(secret.digest(row.key()), now)
        : Optional.empty();
  }

  private Caller caller(StoredKey key, Instant end, Caller.Revocation revocation) {
    noteUse(key, clock.instant());
    return new Caller(
        key.tenant(),
        Caller.Kind.STORED_KEY,
        key.id(),
        key.grant().all(),
        Grant.reaches(List.of(key.grant()), key.tenant(), key.id()),
        Optional.of(end).filter(it -> !it.equals(Instant.MAX)),
        revocation);
  }

  /// Whom the database does not tell keeps what it has.
  private boolean isRevoked(KeySecret secret) {
    try {
      var now = clock.instant();
      return known
          .find(secret.id(), _ -> true)
          .filter(it -> takenUntil(it, secret, now).isPresent())
          .isEmpty();
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
            wanted.tenant(),
            secret.id(),
            wanted.name(),
            wanted.grant(),
            now,
            wanted.createdBy(),
            wanted.expiresAt().map(it -> it.truncatedTo(ChronoUnit.MICROS)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    try {
      if (!rows.insert(key, secret.digest(key), wanted.root(), new Max(KEYS_MAX, MADE_MAX))) {
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

  /// Gives a key another secret. The one that it has goes on being taken for a while; of two, the
  /// older one ends with an overlap of zero only, so that nobody cuts off by mistake what is in
  /// use.
  public MadeKey rotate(StoredKey key, Duration overlap, String by) {
    var secret = KeySecret.random(random, key.id());
    var now = clock.instant();
    var ends = now.plus(overlap).truncatedTo(ChronoUnit.MICROS);
    var rotated = rows.rotate(new KeyRows.Rotation(key.id(), secret.digest(key), now, ends, by));
    known.forget();
    return new MadeKey(
        rotated.orElseThrow(() ->
            new ServiceException(
                ErrorCode.CONFLICT,
                "the key was rotated, and its secret from before is still taken; wait for the end"
                    + " of that, or end both secrets by an overlap of 0s")),
        secret.text());
  }

  /// @throws ServiceException `key_not_found`, also if it is another's
  public StoredKey get(String id, Predicate<StoredKey> own) {
    return rows.find(id).filter(own).orElseThrow(() -> unknown(id));
  }

  private static ServiceException unknown(String id) {
    return new ServiceException(ErrorCode.KEY_NOT_FOUND, "there is no key '%s'".formatted(id));
  }

  /// All keys, by name. Expired ones stay until they are revoked.
  public List<StoredKey> all(Predicate<StoredKey> own) {
    return rows.all().stream().filter(own).toList();
  }

  public void revoke(StoredKey key) {
    boolean deleted = rows.delete(key.id());
    known.forget();
    if (!deleted) {
      throw unknown(key.id());
    }
  }

  /// A change is committed: what was read before is not believed any more.
  void forget() {
    known.forget();
  }

  /// A key as its bearer sends it: a public id, by which it is found, and 256 random bits. That
  /// many cannot be guessed, so that a plain digest is enough.
  ///
  /// @param id is no secret
  /// @param text the whole key
  private record KeySecret(String id, String text) {
    private static final Pattern FORM =
        Pattern.compile("superstep_([0-9a-f]{16})_[A-Za-z0-9_-]{43}");
    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;

    static KeySecret random(SecureRandom random) {
      var id = new byte[ID_BYTES];
      random.nextBytes(id);
      return random(random, HexFormat.of().formatHex(id));
    }

    static KeySecret random(SecureRandom random, String name) {
      var secret = new byte[SECRET_BYTES];
      random.nextBytes(secret);
      var text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
      return new KeySecret(name, "superstep_" + name + "_" + text);
    }

    /// Nothing, if it does not look like a key that this class made.
    static Optional<KeySecret> read(String text) {
      var found = FORM.matcher(text);
      return found.matches() ? Optional.of(new KeySecret(found.group(1), text)) : Optional.empty();
    }

    /// Has the tenant in it, and how the key is limited: a release that knows nothing of that does
    /// not take the key for one that may do more.
    byte[] digest(StoredKey key) {
      var limit = key.grant().limit();
      var digested =
          limit.isNone() ? text : (limit.taskTypes().isEmpty() ? "limited " : "typed ") + text;
      try {
        return MessageDigest.getInstance("SHA-256")
            .digest(key.tenant().own(digested).getBytes(StandardCharsets.UTF_8));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String toString() {
      return "superstep_" + id + "_…";
    }
  }

  /// All keys, as they were read last. They are few, and read as a whole, so that strangers who
  /// send ids that do not exist cost no query each.
  static final class KnownKeys {
    /// The bound on how long a key may still be taken that was revoked elsewhere.
    static final Duration REMEMBERED = Duration.ofSeconds(2);

    /// How long an id that is not there, a secret that is not its, or a failure to read, is
    /// believed: what was made at another replica is taken after that.
    private static final Duration DOUBTED = Duration.ofSeconds(1);

    private final Supplier<Map<String, KeyRows.KeyRow>> rows;
    private final LongSupplier nanos;
    private volatile @Nullable KeyReading last;

    /// @param rows reads all, by id
    KnownKeys(Supplier<Map<String, KeyRows.KeyRow>> rows, LongSupplier nanos) {
      this.rows = rows;
      this.nanos = nanos;
    }

    /// @param failure why nothing could be read; null if it could
    private record KeyReading(
        long at, Map<String, KeyRows.KeyRow> rows, @Nullable DataAccessException failure) {

      boolean answers(String id, Predicate<KeyRows.KeyRow> taken, long now) {
        var row = rows.get(id);
        var sure = row != null && taken.test(row) ? REMEMBERED : DOUBTED;
        return now - at < sure.toNanos();
      }
    }

    /// @param taken whether the key takes what its bearer has sent
    /// @throws DataAccessException if the keys cannot be read
    Optional<KeyRows.KeyRow> find(String id, Predicate<KeyRows.KeyRow> taken) {
      var reading = last;
      if (reading == null || !reading.answers(id, taken, nanos.getAsLong())) {
        reading = read(id, taken);
      }
      if (reading.failure() != null) {
        throw reading.failure();
      }
      return Optional.ofNullable(reading.rows().get(id));
    }

    /// Who waits for another's reading takes that one.
    private synchronized KeyReading read(String id, Predicate<KeyRows.KeyRow> taken) {
      var now = last;
      if (now == null || !now.answers(id, taken, nanos.getAsLong())) {
        now = read();
        last = now;
      }
      return now;
    }

    private KeyReading read() {
      try {
        return new KeyReading(nanos.getAsLong(), Map.copyOf(rows.get()), null);
      } catch (DataAccessException e) {
        return new KeyReading(nanos.getAsLong(), Map.of(), e);
      }
    }

    /// A key was made or revoked here.
    synchronized void forget() {
      last = null;
    }
  }
}
