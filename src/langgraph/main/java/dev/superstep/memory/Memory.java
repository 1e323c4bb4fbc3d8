package dev.superstep.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.database.Pools;
import dev.superstep.json.Json;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.state.value.Canonical;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/// Remembers items for agents, across threads. What is written is on disk when a method returns;
/// what a search finds is of one moment. Items that have expired are not found.
@Service
class Memory {
  static final int LIMIT_MAX = 1_000;
  private static final int KEY_CHARS_MAX = 500;
  private static final int PLACE_BYTES_MAX = 2_500;
  private static final int CONDITIONS_MAX = 20;
  private static final Duration TTL_MAX = Duration.ofDays(36_500);

  private final ItemRows rows;
  private final ItemFinder finder;
  private final MemorySettings settings;
  private final CallerQuotas quotas;
  private final ItemCount count;
  private final AuditLog audit;

  Memory(
      ItemRows rows,
      ItemFinder finder,
      MemorySettings settings,
      CallerQuotas quotas,
      AuditLog audit,
      @Qualifier(Pools.SCHEDULER) JdbcClient all) {
    this.audit = audit;
    this.rows = rows;
    this.finder = finder;
    this.settings = settings;
    this.quotas = quotas;
    this.count = new ItemCount(() -> countAll(all), System::nanoTime);
  }

  /// Of all tenants: on a connection that sees all rows.
  private static long countAll(JdbcClient jdbc) {
    return jdbc.sql("select count(*) from memory_item").query(Long.class).single();
  }

  /// Writes an item, in place of one with the same namespace and key.
  ///
  /// @throws ServiceException if it exceeds a bound
  @Transactional
  void put(ItemWrite write) {
    checkPlace(write.namespace(), write.key());
    checkSize(write.namespace(), write.key());
    long valueMax = settings.valueMax().toBytes();
    if (Canonical.size(write.value()) > valueMax) {
      throw ServiceException.at(
          "/value",
          ErrorCode.LIMIT_EXCEEDED,
          "may have at most %d bytes (superstep.memory.value-max)".formatted(valueMax));
    }
    write
        .ttl()
        .filter(it -> it.compareTo(Duration.ofMillis(1)) < 0 || it.compareTo(TTL_MAX) > 0)
        .ifPresent(_ -> {
          throw ServiceException.at(
              "/ttl", ErrorCode.INVALID_VALUE, "must be above 0, and at most 100 years");
        });
    if (!count.admits(settings.itemsMax())) {
      throw new ServiceException(
          ErrorCode.STORAGE_QUOTA_EXCEEDED,
          "there are %d items, which is all that may be kept (superstep.memory.items-max); delete"
                  .formatted(settings.itemsMax())
              + " some, or write them with a time to live");
    }
    var value = Json.write(write.value());
    rows.put(
        write.namespace().text(),
        write.key(),
        value,
        write.ttl().map(Duration::toMillis).orElse(null),
        quotas.admitStored(value::length));
    audit.record(AuditAction.MEMORY_PUT, object(write.namespace(), write.key()));
  }

  /// @param refresh whether the item lives on from now
  Optional<MemoryItem> find(Namespace namespace, String key, boolean refresh) {
    checkPlace(namespace, key);
    if (refresh) {
      rows.refresh(new String[] {namespace.text()}, new String[] {key});
    }
    return finder.item(namespace, key);
  }

  /// Deletes an item, if there is one.
  @Transactional
  void delete(Namespace namespace, String key) {
    checkPlace(namespace, key);
    rows.delete(namespace.text(), key);
    audit.record(AuditAction.MEMORY_DELETE, object(namespace, key));
  }

  private static String object(Namespace namespace, String key) {
    return String.join(".", namespace.labels()) + "#" + key;
  }

  /// @throws ServiceException if what is found would be too large for an answer
  List<MemoryItem> search(ItemSearch search) {
    checkPage(search.limit(), search.offset());
    if (search.filter().size() > CONDITIONS_MAX) {
      throw ServiceException.at(
          "/filter",
          ErrorCode.LIMIT_EXCEEDED,
          "may have at most %d conditions".formatted(CONDITIONS_MAX));
    }
    var found = finder.items(search);
    if (search.refresh() && !found.isEmpty()) {
      rows.refresh(
          found.stream().map(it -> it.namespace().text()).toArray(String[]::new),
          found.stream().map(MemoryItem::key).toArray(String[]::new));
    }
    return found;
  }

  List<Namespace> namespaces(NamespaceSearch search) {
    checkPage(search.limit(), search.offset());
    Namespace.of(search.prefix(), "/prefix");
    Namespace.of(search.suffix(), "/suffix");
    if (search.depthMax().orElse(1) < 1) {
      throw ServiceException.at("/max_depth", ErrorCode.INVALID_VALUE, "must be at least 1");
    }
    return finder.namespaces(search);
  }

  /// The index of the database takes no longer entry, however well others are compressed.
  private static void checkSize(Namespace namespace, String key) {
    if (namespace.text().getBytes(UTF_8).length + key.getBytes(UTF_8).length > PLACE_BYTES_MAX) {
      throw ServiceException.at(
          "/key",
          ErrorCode.LIMIT_EXCEEDED,
          "may have at most %d bytes in UTF-8 together with the labels of its namespace"
              .formatted(PLACE_BYTES_MAX));
    }
  }

  private static void checkPlace(Namespace namespace, String key) {
    if (namespace.labels().isEmpty()) {
      throw ServiceException.at(
          "/namespace", ErrorCode.INVALID_VALUE, "must have at least one label");
    }
    if (key.isEmpty() || key.length() > KEY_CHARS_MAX || key.indexOf('\0') >= 0) {
      throw ServiceException.at(
          "/key",
          ErrorCode.INVALID_VALUE,
          "must have 1 to %d characters, and no U+0000".formatted(KEY_CHARS_MAX));
    }
  }

  private static void checkPage(int limit, int offset) {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw ServiceException.at(
          "/limit", ErrorCode.INVALID_VALUE, "must be from 1 to %d".formatted(LIMIT_MAX));
    }
    if (offset < 0) {
      throw ServiceException.at("/offset", ErrorCode.INVALID_VALUE, "must not be negative");
    }
  }

  /// How many items there are, about: counted now and then, so that counting takes a small part of
  /// the time, plus what this replica has written since.
  private static final class ItemCount {
    private static final Duration AGE_MAX = Duration.ofMinutes(1);

    /// Counting takes at most this part of the time.
    private static final int COSTS_MAX = 20;

    private final LongSupplier counter;
    private final LongSupplier nanos;
    private long known = -1;
    private long countedAt;
    private long cost;

    ItemCount(LongSupplier counter, LongSupplier nanos) {
      this.counter = counter;
      this.nanos = nanos;
    }

    /// Whether one more may be written; it counts from now on.
    synchronized boolean admits(long max) {
      long age = nanos.getAsLong() - countedAt;
      boolean old = age > Math.max(AGE_MAX.toNanos(), COSTS_MAX * cost);
      if (known < 0 || old || (known >= max && age > COSTS_MAX * cost)) {
        recount();
      }
      if (known >= max) {
        return false;
      }
      known++;
      return true;
    }

    private void recount() {
      long begun = nanos.getAsLong();
      known = counter.getAsLong();
      countedAt = nanos.getAsLong();
      cost = countedAt - begun;
    }
  }
}
