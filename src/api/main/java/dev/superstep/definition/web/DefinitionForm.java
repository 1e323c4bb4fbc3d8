package dev.superstep.definition.web;

import dev.superstep.problem.Query;
import java.util.Locale;

/// In which form an answer gives a definition: the query parameter `form`.
enum DefinitionForm {
  /// As its author wrote it.
  AUTHORED,
  /// As it is stored, hashed and run.
  LONG;

  static DefinitionForm of(Query query) {
    return query.oneOf("form", values(), it -> it.name().toLowerCase(Locale.ROOT)).orElse(AUTHORED);
  }
}
