package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.ContextEdit;
import dev.superstep.context.Glob;
import dev.superstep.definition.form.DottedKeys;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An edit of the prompt context in requests that fork or resume.
record ContextEditBody(
    @Nullable String template,
    @JsonProperty("remove_variables") @Nullable List<String> removeVariables,
    @Nullable ObjectValue variables,
    @JsonProperty("remove_metadata") @Nullable List<String> removeMetadata,
    @Nullable ObjectValue metadata,
    @Nullable HistoryItem history) {
  private static final int ITEMS_MAX = 1_000;
  private static final String POINTER = "/context";

  @Schema(name = "HistoryEdit")
  record HistoryItem(
      @Nullable List<String> remove, @JsonProperty("keep_last") @Nullable Integer keepLast) {}

  static ContextEdit read(@Nullable ContextEditBody body, BodyChecks bodyChecks) {
    return body == null ? ContextEdit.NONE : body.read(bodyChecks);
  }

  private ContextEdit read(BodyChecks bodyChecks) {
    return new ContextEdit(
        Optional.ofNullable(template),
        keys(removeVariables, variables, "variables", bodyChecks),
        keys(removeMetadata, metadata, "metadata", bodyChecks),
        history == null ? ContextEdit.HistoryCut.NONE : cut(history, bodyChecks));
  }

  private static ContextEdit.Keys keys(
      @Nullable List<String> remove,
      @Nullable ObjectValue set,
      String part,
      BodyChecks bodyChecks) {
    var patterns = new ArrayList<Glob>();
    var texts = bounded(remove, POINTER + "/remove_" + part, bodyChecks);
    for (int i = 0; i < texts.size(); i++) {
      var at = POINTER + "/remove_%s/%d".formatted(part, i);
      var refusal = Glob.refusal(texts.get(i));
      refusal.ifPresentOrElse(
          it -> bodyChecks.refuse(at, ErrorCode.INVALID_VALUE, it),
          patternOf(texts.get(i), patterns));
    }
    var flat = DottedKeys.flatten(set == null ? ObjectValue.empty() : set);
    flat.problems()
        .forEach(it ->
            bodyChecks.refuse(
                POINTER + "/" + part + it.pointer(), ErrorCode.INVALID_VALUE, it.message()));
    return new ContextEdit.Keys(patterns, flat.keys());
  }

  private static Runnable patternOf(String text, List<Glob> patterns) {
    return () -> patterns.add(Glob.of(text));
  }

  private static ContextEdit.HistoryCut cut(HistoryItem history, BodyChecks bodyChecks) {
    var keepLast = history.keepLast();
    if (keepLast != null && keepLast < 0) {
      bodyChecks.refuse(
          POINTER + "/history/keep_last", ErrorCode.INVALID_VALUE, "must be at least 0");
    }
    return new ContextEdit.HistoryCut(
        Set.copyOf(bounded(history.remove(), POINTER + "/history/remove", bodyChecks)),
        keepLast == null || keepLast < 0 ? Integer.MAX_VALUE : keepLast);
  }

  private static List<String> bounded(
      @Nullable List<String> items, String pointer, BodyChecks bodyChecks) {
    if (items == null) {
      return List.of();
    }
    if (items.size() > ITEMS_MAX) {
      bodyChecks.refuse(
          pointer, ErrorCode.INVALID_VALUE, "has more than %d items".formatted(ITEMS_MAX));
      return List.of();
    }
    return items;
  }
}
