package dev.superstep.definition.store;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads the rows of graph versions.
interface VersionRows extends Repository<VersionEntity, VersionEntity.GraphVersionKey> {

  @Query("from VersionEntity where key.graph = :graph and key.version = :version")
  Optional<VersionEntity> find(String graph, int version);

  /// Of the definitions of such a page, in bytes.
  @Query(
      value =
          """
          select coalesce(sum(octet_length(definition)), 0)
            from (select definition from graph_version
                   where graph = :graph and version < :below and version > :above
                   order by version desc
                   limit :limit) as page
          """,
      nativeQuery = true)
  long size(String graph, int below, int above, int limit);

  /// Newest first, from the one before `below` down to the one after `above`.
  @Query(
      value =
          """
          select * from graph_version
          where graph = :graph and version < :below and version > :above
          order by version desc
          limit :limit
          """,
      nativeQuery = true)
  List<VersionEntity> page(String graph, int below, int above, int limit);
}
