package dev.superstep.langgraph.thread;

import dev.superstep.compute.RequestWork;
import dev.superstep.langgraph.Containment;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.thread.Assistant.Head;
import dev.superstep.langgraph.thread.Assistant.VersionKey;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// What a search for assistants asks for.
record AssistantSearch(RequestFields fields) {
  private static final int LIMIT_DEFAULT = 10;
  private static final int LIMIT_MAX = 1_000;
  private static final int PART = 16;
  private static final int OFFSET_MAX = 1_000_000;
  private static final List<String> ORDERS =
      List.of("assistant_id", "graph_id", "name", "created_at", "updated_at");

  /// Those that meet the conditions, in order.
  ///
  /// @param metadata of those that are stored
  List<Head> of(List<Head> all, Function<List<Head>, Map<VersionKey, ObjectValue>> metadata) {
    var graph = fields.text("graph_id").map(Tenant.current()::own);
    var name = fields.text("name").map(it -> it.toLowerCase(Locale.ROOT));
    return withMetadata(
        all.stream()
            .filter(it -> graph.filter(wanted -> !wanted.equals(it.graph())).isEmpty())
            .filter(it ->
                name.filter(part -> !it.name().toLowerCase(Locale.ROOT).contains(part)).isEmpty())
            .sorted(order())
            .toList(),
        metadata);
  }

  /// Those whose metadata contain what is wanted, in their order. They are looked into part by
  /// part.
  List<Head> withMetadata(
      List<Head> all, Function<List<Head>, Map<VersionKey, ObjectValue>> metadata) {
    var wanted = fields.objectOrEmpty("metadata");
    if (wanted.isEmpty()) {
      return all;
    }
    var work = RequestWork.current();
    var matching = new ArrayList<Head>();
    for (int from = 0; from < all.size(); from += PART) {
      var part = all.subList(from, Math.min(all.size(), from + PART));
      try (var _ = work.piece()) {
        var known = metadata.apply(part);
        part.stream()
            .filter(it ->
                Containment.contains(known.getOrDefault(it.key(), metadata(it)), wanted, work))
            .forEach(matching::add);
      }
    }
    return matching;
  }

  private static ObjectValue metadata(Head head) {
    return head.stored() ? ObjectValue.empty() : Assistant.of(head).content().metadata();
  }

  List<Head> page(List<Head> found) {
    return found.stream().skip(offset()).limit(limit()).toList();
  }

  private Comparator<Head> order() {
    var by =
        switch (fields.oneOf("sort_by", ORDERS).orElse("created_at")) {
          case "assistant_id" -> Comparator.comparing((Head it) -> it.key().id());
          case "graph_id" -> Comparator.comparing(Head::graph);
          case "name" -> Comparator.comparing(Head::name);
          case "updated_at" -> Comparator.comparing((Head it) -> it.times().updatedAt());
          default -> Comparator.comparing((Head it) -> it.times().createdAt());
        };
    var whole = by.thenComparing(it -> it.key().id());
    boolean ascends =
        fields.oneOf("sort_order", List.of("asc", "desc")).filter("asc"::equals).isPresent();
    return ascends ? whole : whole.reversed();
  }

  int limit() {
    return fields.integer("limit", 1, LIMIT_MAX).orElse((long) LIMIT_DEFAULT).intValue();
  }

  int offset() {
    return fields.integer("offset", 0, OFFSET_MAX).orElse(0L).intValue();
  }

  /// The members that are wanted; empty: all.
  Set<String> select() {
    return Set.copyOf(fields.texts("select"));
  }
}
