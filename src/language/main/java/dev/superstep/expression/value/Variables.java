package dev.superstep.expression.value;

import dev.cel.runtime.CelVariableResolver;
import dev.superstep.expression.ErrorCodes;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Looks variables up in a scope when CEL asks for them.
public final class Variables implements CelVariableResolver {
  private final Scope scope;
  private @Nullable ContextView context;

  public Variables(Scope scope) {
    this.scope = scope;
  }

  @Override
  public Optional<Object> find(String name) {
    return Optional.of(
        switch (name) {
          case "context" -> context();
          case "now" -> now();
          default -> CelValues.view(scope.get(name));
        });
  }

  private ContextView context() {
    if (context == null) {
      context = new ContextView(scope);
    }
    return context;
  }

  private Instant now() {
    if (scope.get("now") instanceof Value.Text(var text)) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException _) {
        throw new ExpressionException(ErrorCodes.FAILED, "now is no time: " + text);
      }
    }
    throw CelProblem.of("now has no value here");
  }
}
