package dev.superstep.run.check;

import dev.superstep.database.Pools;
import dev.superstep.run.check.SizeSlices.SizePosition;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Counts how much each caller of a tenant stores: what runs have appended since the last count is
/// added to the known sums. What a run appends is read once; a run that has ended for good is not
/// read again, and deleting a run deletes its sum.
@Component
class StoredSizes {
  private static final Logger log = LoggerFactory.getLogger(StoredSizes.class);

  /// Size of a run besides its contents: rows and their index entries.
  static final int RUN_BYTES = 1_000;

  /// Size of any other row besides its contents.
  private static final int ROW_BYTES = 200;

  /// Runs, and what callers store without runs: that is bounded in number, and its sizes are read
  /// without its contents.
  private static final String SUMS =
      """
      select tenant, caller, sum(bytes)
        from (
          select tenant_of(run) as tenant, caller, sum(appended + other) as bytes
            from stored_size group by 1, 2
          union all
          select tenant_of_namespace(namespace), caller,
                 sum(:row + pg_column_size(namespace) + pg_column_size(key)
                     + pg_column_size(value))
            from memory_item where caller is not null group by 1, 2
          union all
          select tenant_of(assistant), caller,
                 sum(:row + pg_column_size(config) + pg_column_size(context)
                     + pg_column_size(metadata))
            from assistant_version where caller is not null group by 1, 2
          union all
          select tenant_of(version.graph), coalesce(version.created_by, ''),
                 sum(:row + pg_column_size(version.definition) + pg_column_size(version.warnings)
                     + coalesce(pg_column_size(source.text), 0))
            from graph_version as version
            left join graph_source as source using (graph, version)
           group by 1, 2
          union all
          select tenant_of(id), described_by, sum(:row + pg_column_size(metadata))
            from thread where described_by is not null group by 1, 2
        ) as held
       group by tenant, caller
      """;

  /// Limit of each of the two walks; one that takes longer continues with the next count.
  private static final Duration WALK_MAX = Duration.ofSeconds(1);

  private final SizeSlices slices;
  private final JdbcClient jdbc;

  /// Where the walk over runs that may have grown continues.
  private SizePosition open = SizePosition.START;

  StoredSizes(SizeSlices slices, @Qualifier(Pools.SCHEDULER) JdbcClient jdbc) {
    this.slices = slices;
    this.jdbc = jdbc;
  }

  /// Bytes by caller.
  synchronized Map<Share, Long> count() {
    try {
      open = walk(slices::countOpen, open);
      walk(slices::countNew, SizePosition.START);
    } catch (DataAccessException e) {
      // A run was deleted meanwhile, or a call has locked it, or another replica counts.
      log.debug("The remaining runs are measured with the next count", e);
    }
    var found = new HashMap<Share, Long>();
    jdbc.sql(SUMS)
        .param("row", ROW_BYTES)
        .query(row -> {
          found.put(new Share(row.getString(1), row.getString(2)), row.getLong(3));
        });
    return found;
  }

  /// @return where the next walk begins
  private static SizePosition walk(SizeSums slices, SizePosition from) {
    long deadline = System.nanoTime() + WALK_MAX.toNanos();
    var at = Optional.of(from);
    while (at.isPresent() && System.nanoTime() - deadline < 0) {
      at = slices.count(at.get());
    }
    return at.orElse(SizePosition.START);
  }

  /// Counts the next slice; empty if there are no more.
  private interface SizeSums {
    Optional<SizePosition> count(SizePosition after);
  }
}
