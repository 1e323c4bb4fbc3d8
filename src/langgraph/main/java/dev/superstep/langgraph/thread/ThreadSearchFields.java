package dev.superstep.langgraph.thread;

import dev.superstep.langgraph.RequestFields;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadOrder;
import dev.superstep.run.view.ThreadStatus;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Set;

/// Reads what a search for threads asks for.
final class ThreadSearchFields {
  private static final int LIMIT_DEFAULT = 10;
  private static final int LIMIT_MAX = 1_000;
  private static final int OFFSET_MAX = 1_000_000;
  private static final List<String> STATUSES = List.of("idle", "busy", "interrupted", "error");
  private static final List<String> ORDERS =
      List.of("thread_id", "status", "created_at", "updated_at", "state_updated_at");
  private final RequestFields fields;

  ThreadSearchFields(RequestFields fields) {
    this.fields = fields;
  }

  ShownThreads.Search search() {
    var filter =
        new ThreadFilter(
            Set.copyOf(fields.texts("ids")),
            fields.object("metadata").orElse(ObjectValue.empty()),
            fields
                .oneOf("status", STATUSES)
                .flatMap(ThreadStatus::find)
                .map(Set::of)
                .orElse(Set.of()),
            false);
    return new ShownThreads.Search(
        filter, fields.object("values").orElse(ObjectValue.empty()), order());
  }

  int limit() {
    return fields.integer("limit", 1, LIMIT_MAX).orElse((long) LIMIT_DEFAULT).intValue();
  }

  int offset() {
    return fields.integer("offset", 0, OFFSET_MAX).orElse(0L).intValue();
  }

  Set<String> select() {
    return Set.copyOf(fields.texts("select"));
  }

  private ThreadOrder order() {
    var by =
        switch (fields.oneOf("sort_by", ORDERS).orElse("created_at")) {
          case "thread_id" -> ThreadOrder.By.ID;
          case "status" -> ThreadOrder.By.STATUS;
          case "created_at" -> ThreadOrder.By.CREATED_AT;
          default -> ThreadOrder.By.UPDATED_AT;
        };
    boolean ascends =
        fields.oneOf("sort_order", List.of("asc", "desc")).filter("asc"::equals).isPresent();
    return new ThreadOrder(
        by, ascends ? ThreadOrder.Direction.ASCENDING : ThreadOrder.Direction.DESCENDING);
  }
}
