package dev.superstep.run.web;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.Query;
import dev.superstep.run.MetadataFilter;
import dev.superstep.run.Page;
import dev.superstep.run.RunFilter;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadStatus;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Reads the query parameters of searches for runs and threads.
final class RunSearch {
  private RunSearch() {}

  static RunFilter filter(Query query) {
    return new RunFilter(
        query.text("graph").map(Tenant.current()::own),
        query.someOf("status", RunStatus.values(), it -> it.name().toLowerCase(Locale.ROOT)),
        query.text("thread_id").map(Tenant.current()::own),
        query.text("parent").map(Tenant.current()::own),
        query.text("error_code"),
        metadata(query),
        query.time("created_after"),
        query.time("created_before"));
  }

  /// Of threads that have runs. Values of metadata are texts here; a search may ask for others.
  static ThreadFilter threads(Query query) {
    var wanted = ObjectValue.builder();
    metadata(query).forEach((key, value) -> wanted.put(key, Value.of(value)));
    return new ThreadFilter(
        Set.of(),
        new MetadataFilter(wanted.build()),
        query.someOf("status", ThreadStatus.values(), ThreadStatus::apiName),
        true);
  }

  static Page.Request page(Query query) {
    return new Page.Request(query.cursor(), query.limit());
  }

  private static Map<String, String> metadata(Query query) {
    var wanted = new HashMap<String, String>();
    for (var pair : query.all("metadata")) {
      int colon = pair.indexOf(':');
      if (colon < 1) {
        throw Query.invalid("metadata", "must be <key>:<value>");
      }
      var other = wanted.put(pair.substring(0, colon), pair.substring(colon + 1));
      if (other != null) {
        throw Query.invalid("metadata", "may name each key only once");
      }
    }
    return wanted;
  }
}
