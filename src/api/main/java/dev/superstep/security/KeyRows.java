package dev.superstep.security;

import dev.superstep.security.Grant.Limit;
import dev.superstep.tenant.Tenant;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/// The table of keys. Whose a key is, its name says; whoever reads keeps to its own.
@Repository
class KeyRows {
  private static final String SELECT =
      """
      select id, name, digest, scopes, roles, graphs, own_only, task_types, created_at,
             created_by, expires_at, last_used_at, previous_digest, previous_ends_at, rotated_by
        from api_key
      """;
  private final JdbcClient jdbc;

  KeyRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A key and the digests of what its bearer sends.
  ///
  /// @param previous from before the last rotation; empty: there was none
  record KeyRow(StoredKey key, byte[] digest, Optional<byte[]> previous) {

    /// Until when this is taken for the key; empty: it is not. The time of the comparison reveals
    /// nothing about the secret.
    Optional<Instant> takenUntil(byte[] presented, Instant now) {
      var end = key.expiresAt().orElse(Instant.MAX);
      if (!MessageDigest.isEqual(digest, presented)) {
        var overlap = key.previousEndsAt().orElse(Instant.MIN);
        end =
            previous.filter(it -> MessageDigest.isEqual(it, presented)).isEmpty()
                ? Instant.MIN
                : overlap.isBefore(end) ? overlap : end;
      }
      return Optional.of(end).filter(it -> it.isAfter(now));
    }
  }

  Map<String, KeyRow> byId() {
    var all =
        jdbc.sql(SELECT)
            .query((row, _) ->
                new KeyRow(
                    key(row),
                    row.getBytes("digest"),
                    Optional.ofNullable(row.getBytes("previous_digest"))))
            .list();
    return all.stream().collect(Collectors.toMap(it -> it.key().id(), it -> it));
  }

  List<StoredKey> all() {
    return jdbc.sql(SELECT + " order by name").query((row, _) -> key(row)).list();
  }

  /// How many keys there may be.
  ///
  /// @param all of all makers
  /// @param root made by one stored key or bearer of tokens, and by those that it has made
  record Max(int all, int root) {}

  /// The key at the beginning of each line is its own root, unless its maker has a root.
  ///
  /// @param root whose key it is if its maker is no stored one; empty: its own
  /// @return whether there was room for it
  boolean insert(StoredKey key, byte[] digest, Optional<String> root, Max max) {
    return Tenant.outside(() -> inserted(key, digest, root, max));
  }

  private boolean inserted(StoredKey key, byte[] digest, Optional<String> root, Max max) {
    return jdbc.sql(
                """
                with made (root) as (
                  select coalesce(
                           (select coalesce(root, id) from api_key where id = :createdBy),
                           :root, :id)
                )
                insert into api_key
                       (id, name, digest, scopes, roles, graphs, own_only, task_types, created_at,
                        created_by, expires_at, root)
                select :id, :name, :digest, :scopes, :roles, :graphs, :ownOnly, :taskTypes,
                       :createdAt, :createdBy, :expiresAt, made.root
                  from made
                 where (select count(*) from api_key) < :max
                   and (select count(*) from api_key
                         where coalesce(api_key.root, api_key.id) = made.root
                           and api_key.id <> made.root) < :rootMax
                """)
            .param("id", key.id())
            .param("name", key.tenant().own(key.name()))
            .param("digest", digest)
            .param("scopes", words(key.grant().scopes(), ApiScope::text))
            .param("roles", words(key.grant().roles(), Role::text))
            .param("graphs", key.grant().limit().graphs().toArray(String[]::new))
            .param("ownOnly", key.grant().limit().ownOnly())
            .param("taskTypes", key.grant().limit().taskTypes().toArray(String[]::new))
            .param("createdAt", offset(key.createdAt()))
            .param("createdBy", key.createdBy())
            .param(
                "expiresAt",
                key.expiresAt().map(KeyRows::offset).orElse(null),
                Types.TIMESTAMP_WITH_TIMEZONE)
            .param("root", root.orElse(null), Types.VARCHAR)
            .param("max", max.all())
            .param("rootMax", max.root())
            .update()
        == 1;
  }

  void noteUse(String id, Instant now, Instant before) {
    jdbc.sql(
            """
            update api_key
               set last_used_at = :now
             where id = :id
               and (last_used_at is null or last_used_at <= :before)
            """)
        .param("now", offset(now))
        .param("id", id)
        .param("before", offset(before))
        .update();
  }

  /// A rotation of a key.
  ///
  /// @param digest of the new secret
  /// @param overlapEnds until when the secret that it has now is taken, too
  record Rotation(String id, byte[] digest, Instant now, Instant overlapEnds, String by) {}

  /// @return empty if there is no such key, or its last rotation still overlaps and this one would
  Optional<StoredKey> rotate(Rotation rotation) {
    return jdbc.sql(
            """
            update api_key
               set previous_digest = digest, previous_ends_at = :overlapEnds, digest = :digest,
                   rotated_by = :by
             where id = :id
               and (previous_ends_at is null or previous_ends_at <= :now
                    or :overlapEnds::timestamptz <= :now)
            returning *
            """)
        .param("id", rotation.id())
        .param("digest", rotation.digest())
        .param("now", offset(rotation.now()))
        .param("overlapEnds", offset(rotation.overlapEnds()))
        .param("by", rotation.by())
        .query((row, _) -> key(row))
        .optional();
  }

  Optional<StoredKey> find(String id) {
    return jdbc.sql(SELECT + " where id = :id")
        .param("id", id)
        .query((row, _) -> key(row))
        .optional();
  }

  boolean delete(String id) {
    return jdbc.sql("delete from api_key where id = :id").param("id", id).update() == 1;
  }

  private static StoredKey key(ResultSet row) throws SQLException {
    return new StoredKey(
        Tenant.of(row.getString("name")),
        row.getString("id"),
        Tenant.shown(row.getString("name")),
        Grant.of(words(row.getString("roles")), words(row.getString("scopes"))).limited(limit(row)),
        row.getTimestamp("created_at").toInstant(),
        row.getString("created_by"),
        instant(row.getTimestamp("expires_at")),
        instant(row.getTimestamp("last_used_at")),
        instant(row.getTimestamp("previous_ends_at")),
        Optional.ofNullable(row.getString("rotated_by")));
  }

  private static Limit limit(ResultSet row) throws SQLException {
    var graphs = (String[]) row.getArray("graphs").getArray();
    var taskTypes = (String[]) row.getArray("task_types").getArray();
    return new Limit(List.of(graphs), row.getBoolean("own_only"), List.of(taskTypes));
  }

  private static <T extends Comparable<T>> String words(Set<T> all, Function<T, String> text) {
    return all.stream().sorted().map(text).collect(Collectors.joining(" "));
  }

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  private static Optional<Instant> instant(@Nullable Timestamp time) {
    return Optional.ofNullable(time).map(Timestamp::toInstant);
  }

  private static OffsetDateTime offset(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
