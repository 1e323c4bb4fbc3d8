package dev.superstep.langgraph.assistant;

import dev.superstep.compute.RequestWork;
import dev.superstep.langgraph.Containment;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.state.value.ObjectValue;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a search for assistants asks for.
record AssistantSearch(RequestFields fields) {
  private static final int LIMIT_DEFAULT = 10;
  private static final int LIMIT_MAX = 1_000;
  private static final int OFFSET_MAX = 1_000_000;
  private static final List<String> ORDERS =
      List.of("assistant_id", "graph_id", "name", "created_at", "updated_at");

  /// All that meet the conditions, in order.
  List<Assistant> of(List<Assistant> all) {
    var graph = fields.text("graph_id");
    var work = new RequestWork();
    var name = fields.text("name").map(it -> it.toLowerCase(Locale.ROOT));
    var metadata = fields.object("metadata").orElse(ObjectValue.empty());
    return all.stream()
        .filter(it -> graph.filter(wanted -> !wanted.equals(it.graph())).isEmpty())
        .filter(it ->
            name.filter(part -> !it.content().name().toLowerCase(Locale.ROOT).contains(part))
                .isEmpty())
        .filter(it -> Containment.contains(it.content().metadata(), metadata, work))
        .sorted(order())
        .toList();
  }

  /// A page of the versions of one assistant.
  List<Assistant> ofVersions(List<Assistant> versions) {
    var work = new RequestWork();
    var metadata = fields.object("metadata").orElse(ObjectValue.empty());
    return versions.stream()
        .filter(it -> Containment.contains(it.content().metadata(), metadata, work))
        .skip(offset())
        .limit(limit())
        .toList();
  }

  private Comparator<Assistant> order() {
    var by =
        switch (fields.oneOf("sort_by", ORDERS).orElse("created_at")) {
          case "assistant_id" -> Comparator.comparing(Assistant::id);
          case "graph_id" -> Comparator.comparing(Assistant::graph);
          case "name" -> Comparator.comparing((Assistant it) -> it.content().name());
          case "updated_at" -> Comparator.comparing((Assistant it) -> it.times().updatedAt());
          default -> Comparator.comparing((Assistant it) -> it.times().createdAt());
        };
    var whole = by.thenComparing(Assistant::id);
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
