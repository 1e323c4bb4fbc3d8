package dev.superstep.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.security.SessionRows.SessionRow;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.stereotype.Component;

/// Who has signed in with the one provider. A session is a row, so that all replicas know it; its
/// id is with the browser, and only the digest of that is stored.
///
/// What a caller may do is computed from the claims at each look, so that a change of the settings
/// holds for those who are signed in.
@Component
final class SignInSessions {
  private static final Logger LOG = LoggerFactory.getLogger(SignInSessions.class);

  /// How many there can be.
  static final int SESSIONS_MAX = 50_000;

  /// How many of one caller; the oldest ones end.
  static final int CALLER_MAX = 10;

  /// How long a replica believes what it has read, so that the session ends everywhere within two
  /// seconds.
  private static final Duration REMEMBERED = Duration.ofMillis(1_500);

  private static final int REMEMBERED_MAX = 10_000;
  private static final int CLAIMS_CHARS_MAX = 64_000;
  private static final int ID_TOKEN_CHARS_MAX = 6_000;

  /// Strangers may send ids that do not exist; they keep this many connections busy at most.
  private static final int READS_MAX = 4;

  private static final int READ_WAIT_MAX_MS = 2_000;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final int ID_BYTES = 32;

  private final SignInSettings settings;
  private final TokenCallers issuers;
  private final SessionRows rows;
  private final SignInAudit audit;
  private final DatabaseClock clock;
  private final SecureRandom random = new SecureRandom();
  private final Semaphore reads = new Semaphore(READS_MAX, true);
  private final Cache<ByteBuffer, Optional<SessionRow>> known =
      Caffeine.newBuilder().maximumSize(REMEMBERED_MAX).expireAfterWrite(REMEMBERED).build();

  SignInSessions(
      SignInSettings settings,
      TokenCallers issuers,
      SessionRows rows,
      SignInAudit audit,
      DatabaseClock clock) {
    this.settings = settings;
    this.issuers = issuers;
    this.rows = rows;
    this.audit = audit;
    this.clock = clock;
  }

  private JwtCallers issuer() {
    return issuers.signingIn(settings);
  }

  /// Somebody has signed in.
  ///
  /// @param claims say who the caller is and what it may do
  /// @return the id for the browser; empty: there is no room
  /// @throws OAuth2AuthenticationException if there are more claims than anybody needs
  Optional<String> begin(Caller caller, Map<String, Object> claims, String idToken) {
    var now = clock.instant();
    var text = text(claims);
    if (text.length() > CLAIMS_CHARS_MAX) {
      throw new OAuth2AuthenticationException(SignInFailure.REFUSED.code());
    }
    var bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    var id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    var row =
        new SessionRow(
            digest(id),
            issuer().settings().issuer(),
            caller.tenant().name(),
            caller.id(),
            text,
            Optional.of(idToken).filter(it -> it.length() <= ID_TOKEN_CHARS_MAX),
            now,
            now,
            now.plus(settings.max()));
    purge();
    if (!audit.start(row, () -> insert(row))) {
      return Optional.empty();
    }
    LOG.info("{} has signed in", caller.id());
    return Optional.of(id);
  }

  /// Somebody could not sign in.
  void noteFailure(HttpServletRequest request, SignInFailure failure) {
    audit.failed(request, failure);
  }

  private boolean insert(SessionRow row) {
    rows.deleteOldest(row.caller(), CALLER_MAX - 1);
    return rows.insert(row, SESSIONS_MAX);
  }

  /// Who has signed in, unless the session is over. Looking counts as a use.
  ///
  /// @throws DataAccessException if the sessions cannot be read
  Optional<Caller> caller(String id) {
    if (!ID.matcher(id).matches()) {
      return Optional.empty();
    }
    var digest = digest(id);
    var now = clock.instant();
    var row = find(digest, now);
    row.ifPresent(it -> noteUse(it, now));
    return row.flatMap(it ->
        issuer()
            .caller(claims(it.claims()), Optional.of(it.expiresAt()))
            .filter(known -> known.tenant().name().equals(it.tenant()))
            .map(known -> known.revocable(() -> isOver(digest))));
  }

  private Optional<SessionRow> find(byte[] digest, Instant now) {
    return known
        .get(ByteBuffer.wrap(digest), _ -> read(digest))
        .filter(it -> it.endsAt(settings.idle()).isAfter(now))
        .filter(it -> it.issuer().equals(issuer().settings().issuer()));
  }

  private Optional<SessionRow> read(byte[] digest) {
    try {
      if (!reads.tryAcquire(READ_WAIT_MAX_MS, TimeUnit.MILLISECONDS)) {
        throw new QueryTimeoutException("too many sessions are looked up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryTimeoutException("interrupted", e);
    }
    try {
      return Tenant.outside(() -> rows.find(digest));
    } finally {
      reads.release();
    }
  }

  /// As the token had them, where they were made objects of.
  private static String text(Map<String, Object> claims) {
    var plain = new HashMap<String, Object>();
    claims.forEach((name, value) ->
        plain.put(
            name,
            switch (value) {
              case Instant time -> time.getEpochSecond();
              case URL address -> address.toString();
              case null, default -> value;
            }));
    return JSONObjectUtils.toJSONString(plain);
  }

  private static Map<String, Object> claims(String text) {
    try {
      return JSONObjectUtils.parse(text);
    } catch (ParseException e) {
      throw new IllegalStateException("the claims of a session are no JSON", e);
    }
  }

  /// Whom the database does not tell keeps what it has.
  private boolean isOver(byte[] digest) {
    try {
      return find(digest, clock.instant()).isEmpty();
    } catch (DataAccessException _) {
      return false;
    }
  }

  /// Seldom, so that a call is not also a write.
  private void noteUse(SessionRow row, Instant now) {
    if (!row.usedAt().plus(settings.idle().dividedBy(10)).isAfter(now)) {
      rows.noteUse(row.digest(), now);
      known.invalidate(ByteBuffer.wrap(row.digest()));
    }
  }

  /// Somebody signs out: here at once, at other replicas within two seconds.
  void end(String id) {
    if (ID.matcher(id).matches()) {
      var digest = digest(id);
      audit.end(() -> rows.end(digest, clock.instant()));
      known.invalidate(ByteBuffer.wrap(digest));
    }
  }

  /// Forgets a session that was ended.
  ///
  /// @return the session, if it was
  Optional<SessionRow> forget(String id) {
    return ID.matcher(id).matches() ? rows.deleteEnded(digest(id)) : Optional.empty();
  }

  /// Deletes what is over. Where nobody signs in, how long others let sessions idle is not known.
  void purge() {
    rows.deleteOver(clock.instant(), settings.isOff() ? SignInSettings.MAX : settings.idle());
  }

  private static byte[] digest(String id) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
