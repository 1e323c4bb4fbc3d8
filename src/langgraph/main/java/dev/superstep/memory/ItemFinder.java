package dev.superstep.memory;

import dev.superstep.compute.RequestWork;
import dev.superstep.json.Json;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Finds items and namespaces: each answer is of one moment.
@Component
@Transactional(readOnly = true)
class ItemFinder {
  private static final String LIVING = "(expires_at is null or expires_at > statement_timestamp())";

  /// `/` follows the dot, so that this is a range of the primary key.
  private static final String WITHIN =
      "(:prefix = '' and left(namespace, 1) <> '.' or namespace = :prefix"
          + " or :prefix <> '' and namespace >= :prefix || '.' and namespace < :prefix || '/')";

  private final ItemRows rows;
  private final EntityManager entities;
  private final long answerMax;

  ItemFinder(ItemRows rows, EntityManager entities, MemorySettings settings) {
    this.rows = rows;
    this.entities = entities;
    this.answerMax = settings.answerMax().toBytes();
  }

  Optional<MemoryItem> item(Namespace namespace, String key) {
    return rows.find(namespace.text(), key).map(MemoryItemEntity::item);
  }

  /// @throws ServiceException if what is found would be too large for an answer
  List<MemoryItem> items(ItemSearch search) {
    var page = page(search.filter());
    var size =
        (Number)
            bind(
                    entities.createNativeQuery(
                        "select coalesce(sum(octet_length(value)), 0) from (%s) as page"
                            .formatted(page)),
                    search)
                .getSingleResult();
    if (size.longValue() > answerMax) {
      throw ServiceException.at(
          "/limit",
          ErrorCode.LIMIT_EXCEEDED,
          "these items have %d bytes, and an answer at most %d; ask for fewer items at a time"
              .formatted(size.longValue(), answerMax));
    }
    RequestWork.current().hold(size.longValue());
    List<?> found =
        bind(entities.createNativeQuery(page, MemoryItemEntity.class), search).getResultList();
    return found.stream().map(MemoryItemEntity.class::cast).map(MemoryItemEntity::item).toList();
  }

  private static String page(List<ItemCondition> filter) {
    var sql = new StringBuilder("select * from memory_item where " + LIVING + " and " + WITHIN);
    for (int i = 0; i < filter.size(); i++) {
      var member = "jsonb_extract_path(cast(value as jsonb), :member" + i + ")";
      var than = "cast(:than" + i + " as jsonb)";
      var comparison = filter.get(i).comparison();
      if (comparison.isOrder()) {
        // Numbers and texts only: jsonb has an order over all kinds, which no client wants.
        sql.append(" and jsonb_typeof(%s) = jsonb_typeof(%s)".formatted(member, than));
        sql.append(" and jsonb_typeof(%s) in ('number', 'string')".formatted(than));
      }
      sql.append(" and %s %s %s".formatted(member, comparison.operator(), than));
    }
    return sql.append(" order by updated_at desc, namespace, key limit :limit offset :offset")
        .toString();
  }

  private static Query bind(Query query, ItemSearch search) {
    query.setParameter("prefix", search.prefix().text());
    query.setParameter("limit", search.limit());
    query.setParameter("offset", search.offset());
    for (int i = 0; i < search.filter().size(); i++) {
      query.setParameter("member" + i, search.filter().get(i).member());
      query.setParameter("than" + i, Json.write(search.filter().get(i).than()));
    }
    return query;
  }

  List<Namespace> namespaces(NamespaceSearch search) {
    var own = new Namespace(List.of()).text();
    List<?> found =
        entities
            .createNativeQuery(
                """
                select distinct case when :depth = 0 then namespace else
                         array_to_string(
                           (string_to_array(namespace, '.'))[1\\:cast(:depth as int)], '.')
                       end collate "C" as found
                  from (select substr(namespace, :skipped) as namespace
                          from memory_item where %s and %s) as memory_item
                 where namespace ~ :prefix and namespace ~ :suffix
                 order by found limit :limit offset :offset
                """
                    .formatted(LIVING, WITHIN.replace(":prefix", ":within")),
                String.class)
            .setParameter("within", own)
            .setParameter("skipped", own.isEmpty() ? 1 : own.length() + 2)
            .setParameter("depth", search.depthMax().orElse(0))
            .setParameter("prefix", search.prefixExpression())
            .setParameter("suffix", search.suffixExpression())
            .setParameter("limit", search.limit())
            .setParameter("offset", search.offset())
            .getResultList();
    return found.stream()
        .map(String.class::cast)
        .map(it -> new Namespace(List.of(it.split("\\.", -1))))
        .toList();
  }
}
