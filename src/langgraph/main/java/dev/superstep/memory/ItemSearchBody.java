package dev.superstep.memory;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.superstep.memory.ItemCondition.Comparison;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The request to search items.
@JsonIgnoreProperties(ignoreUnknown = true)
record ItemSearchBody(
    @Nullable List<String> namespacePrefix,
    @Nullable ObjectValue filter,
    @Nullable Integer limit,
    @Nullable Integer offset,
    @Nullable String query,
    @Nullable Boolean refreshTtl) {
  private static final int LIMIT = 10;

  ItemSearch read() {
    if (query != null && !query.isEmpty()) {
      throw ServiceException.at(
          "/query",
          ErrorCode.NOT_SUPPORTED,
          "this server has no vector search; search by namespace_prefix and filter, and keep"
              + " vectors in a database made for them");
    }
    return new ItemSearch(
        Namespace.of(Objects.requireNonNullElse(namespacePrefix, List.of()), "/namespace_prefix"),
        conditions(),
        Objects.requireNonNullElse(limit, LIMIT),
        Objects.requireNonNullElse(offset, 0),
        Objects.requireNonNullElse(refreshTtl, true));
  }

  private List<ItemCondition> conditions() {
    return Objects.requireNonNullElse(filter, ObjectValue.empty()).asMap().entrySet().stream()
        .flatMap(it -> MemberFilter.read(it.getKey(), it.getValue()).stream())
        .toList();
  }

  /// What a filter says of one member: a value that it is, or comparisons by their signs.
  private static final class MemberFilter {
    private static final Map<String, Comparison> SIGNS =
        Map.of(
            "$eq", Comparison.EQUAL,
            "$ne", Comparison.NOT_EQUAL,
            "$gt", Comparison.GREATER,
            "$gte", Comparison.GREATER_OR_EQUAL,
            "$lt", Comparison.LESS,
            "$lte", Comparison.LESS_OR_EQUAL);

    private MemberFilter() {}

    static List<ItemCondition> read(String member, Value says) {
      if (member.indexOf('\0') >= 0) {
        throw invalid(member, "must not contain the character U+0000");
      }
      return says instanceof ObjectValue object && hasSigns(object)
          ? object.asMap().entrySet().stream()
              .map(it -> new ItemCondition(member, sign(member, it.getKey()), it.getValue()))
              .toList()
          : List.of(new ItemCondition(member, Comparison.EQUAL, says));
    }

    private static boolean hasSigns(ObjectValue object) {
      return object.asMap().keySet().stream().anyMatch(it -> it.startsWith("$"));
    }

    private static Comparison sign(String member, String text) {
      var sign = SIGNS.get(text);
      if (sign == null) {
        throw invalid(
            member,
            "has no comparison '%s'; there are %s"
                .formatted(text, "$eq, $ne, $gt, $gte, $lt, $lte"));
      }
      return sign;
    }

    private static ServiceException invalid(String member, String message) {
      var pointer = "/filter/" + member.replace("~", "~0").replace("/", "~1");
      return ServiceException.at(pointer, ErrorCode.INVALID_VALUE, message);
    }
  }
}
