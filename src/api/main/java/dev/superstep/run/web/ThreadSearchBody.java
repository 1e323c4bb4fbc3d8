package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.MetadataFilter;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadStatus;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The request to search threads.
record ThreadSearchBody(
    @Nullable ObjectValue metadata,
    @Nullable List<String> status,
    @JsonProperty("thread_ids") @Nullable List<String> threadIds) {
  public ThreadFilter read() {
    var bodyChecks = new BodyChecks();
    var ids = Objects.requireNonNullElse(threadIds, List.<String>of());
    if (ids.size() > ThreadFilter.IDS_MAX) {
      bodyChecks.refuse(
          "/thread_ids",
          ErrorCode.LIMIT_EXCEEDED,
          "may be at most %d".formatted(ThreadFilter.IDS_MAX));
    }
    var contained = Objects.requireNonNullElse(metadata, ObjectValue.empty());
    MetadataFilter.problem(contained)
        .ifPresent(it -> bodyChecks.refuse("/metadata", ErrorCode.LIMIT_EXCEEDED, it));
    var statuses = statuses(bodyChecks);
    bodyChecks.throwIfAny();
    return new ThreadFilter(
        ids.stream().map(Tenant.current()::own).collect(Collectors.toUnmodifiableSet()),
        new MetadataFilter(contained),
        statuses,
        false);
  }

  private Set<ThreadStatus> statuses(BodyChecks bodyChecks) {
    var words = Objects.requireNonNullElse(status, List.<String>of());
    var found = EnumSet.noneOf(ThreadStatus.class);
    for (int i = 0; i < words.size(); i++) {
      var word = ThreadStatus.find(words.get(i));
      word.ifPresent(found::add);
      if (word.isEmpty()) {
        bodyChecks.refuse(
            "/status/" + i, ErrorCode.INVALID_VALUE, "must be idle, busy, interrupted or error");
      }
    }
    return found;
  }
}
