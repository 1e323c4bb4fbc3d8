package dev.superstep.security;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/// The table of those who have signed in.
@Repository
class SessionRows {
  private static final int NAME_BYTES = 8;

  /// How long one that was ended is kept for the browser to come and tell the provider.
  private static final Duration ENDED = Duration.ofMinutes(1);

  private final JdbcClient jdbc;

  SessionRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A session, found by the digest of its id.
  ///
  /// @param tenant of the caller, to which the database shows it
  /// @param caller the id of who has signed in
  /// @param claims of the token that said what it may do, as JSON
  /// @param idToken tells the provider who signs out
  /// @param usedAt when its last call was, to some minutes
  record SessionRow(
      byte[] digest,
      String issuer,
      String tenant,
      String caller,
      String claims,
      Optional<String> idToken,
      Instant createdAt,
      Instant usedAt,
      Instant expiresAt) {

    /// Names it in the audit log: of the digest, enough to tell sessions apart.
    String name() {
      return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
    }

    /// When it ends if no more calls come.
    Instant endsAt(Duration idle) {
      var silent = usedAt.plus(idle);
      return silent.isBefore(expiresAt) ? silent : expiresAt;
    }
  }

  /// @param max how many sessions there may be
  /// @return whether there was room for it
  boolean insert(SessionRow session, int max) {
    return jdbc.sql(
                """
                insert into sign_in_session
                       (digest, issuer, tenant, caller, claims, id_token, created_at, used_at,
                        expires_at)
                select :digest, :issuer, :tenant, :caller, :claims, :idToken,
                       :createdAt, :usedAt, :expiresAt
                 where (select count(*) from sign_in_session) < :max
                """)
            .param("digest", session.digest())
            .param("issuer", session.issuer())
            .param("tenant", session.tenant())
            .param("caller", session.caller())
            .param("claims", session.claims())
            .param("idToken", session.idToken().orElse(null), Types.VARCHAR)
            .param("createdAt", offset(session.createdAt()))
            .param("usedAt", offset(session.usedAt()))
            .param("expiresAt", offset(session.expiresAt()))
            .param("max", max)
            .update()
        == 1;
  }

  /// One that has not been ended.
  Optional<SessionRow> find(byte[] digest) {
    return jdbc.sql(
            """
            select digest, issuer, tenant, caller, claims, id_token, created_at, used_at, expires_at
              from sign_in_session
             where digest = :digest
               and ended_at is null
            """)
        .param("digest", digest)
        .query((row, _) -> session(row))
        .optional();
  }

  void noteUse(byte[] digest, Instant now) {
    jdbc.sql("update sign_in_session set used_at = :now where digest = :digest and used_at < :now")
        .param("now", offset(now))
        .param("digest", digest)
        .update();
  }

  /// @return the session, if it was not ended before
  Optional<SessionRow> end(byte[] digest, Instant now) {
    return jdbc.sql(
            """
            update sign_in_session
               set ended_at = :now, claims = '{}'
             where digest = :digest
               and ended_at is null
            returning *
            """)
        .param("now", offset(now))
        .param("digest", digest)
        .query((row, _) -> session(row))
        .optional();
  }

  /// Forgets one that was ended.
  ///
  /// @return the session, if it was
  Optional<SessionRow> deleteEnded(byte[] digest) {
    return jdbc.sql(
            """
            delete from sign_in_session
             where digest = :digest
               and ended_at is not null
            returning *
            """)
        .param("digest", digest)
        .query((row, _) -> session(row))
        .optional();
  }

  /// Leaves the newest of a caller.
  void deleteOldest(String caller, int keep) {
    jdbc.sql(
            """
            delete from sign_in_session
             where digest in (select digest
                                from sign_in_session
                               where caller = :caller
                               order by created_at desc, digest
                              offset :keep)
            """)
        .param("caller", caller)
        .param("keep", keep)
        .update();
  }

  /// Those that have expired, are silent or were ended a minute ago.
  void deleteOver(Instant now, Duration idle) {
    jdbc.sql(
            """
            delete from sign_in_session
             where expires_at <= :now
                or used_at <= :silent
                or ended_at <= :ended
            """)
        .param("now", offset(now))
        .param("silent", offset(now.minus(idle)))
        .param("ended", offset(now.minus(ENDED)))
        .update();
  }

  private static SessionRow session(ResultSet row) throws SQLException {
    return new SessionRow(
        row.getBytes("digest"),
        row.getString("issuer"),
        row.getString("tenant"),
        row.getString("caller"),
        row.getString("claims"),
        Optional.ofNullable(row.getString("id_token")),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("used_at").toInstant(),
        row.getTimestamp("expires_at").toInstant());
  }

  private static OffsetDateTime offset(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
