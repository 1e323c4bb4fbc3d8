package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.check.TemplateInCondition;
import dev.superstep.definition.form.LongForm;
import dev.superstep.expression.ExpressionCount;
import dev.superstep.expression.TooManyExpressionsException;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Reads definitions from the texts of their authors.
public final class DefinitionTextReader {
  private final DefinitionReader reader;
  private final DefinitionLimits limits;

  public DefinitionTextReader(DefinitionReader reader, DefinitionLimits limits) {
    this.reader = reader;
    this.limits = limits;
  }

  /// @throws dev.superstep.problem.ServiceException `body_too_large`, or `unreadable_body` when the
  ///   text is neither JSON nor YAML
  public ReadResult read(DefinitionText text) {
    var parsed = text.parse(limits);
    if (!parsed.problems().isEmpty()) {
      return unread(parsed.problems());
    }
    try {
      return ExpressionCount.atMost(
          limits.expressionsMax(),
          () -> placed(text, withoutBraces(parsed.value(), reader.read(parsed.value()))));
    } catch (TooManyExpressionsException e) {
      return unread(
          List.of(Violation.of("", Codes.TOO_MANY, "the definition has " + e.getMessage())));
    }
  }

  private static ReadResult withoutBraces(Value posted, ReadResult readResult) {
    return readResult.with(
        TemplateInCondition.check(posted, readResult.longForm(), readResult.errors()),
        readResult.warnings());
  }

  private static ReadResult placed(DefinitionText text, ReadResult readResult) {
    return readResult.with(text.placed(readResult.errors()), text.placed(readResult.warnings()));
  }

  private static ReadResult unread(List<Violation> errors) {
    return new ReadResult(LongForm.NONE, Optional.empty(), List.of(), errors, List.of());
  }
}
