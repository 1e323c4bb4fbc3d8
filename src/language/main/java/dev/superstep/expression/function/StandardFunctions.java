package dev.superstep.expression.function;

import dev.cel.common.CelOptions;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.superstep.expression.value.CelProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// CEL's standard functions, but for those we replace, with a guard: whatever they throw becomes a
/// short message. CEL itself would write out their arguments.
@SuppressWarnings("Immutable") // CEL's bindings are
public final class StandardFunctions {
  /// No number, time or duration is longer.
  private static final int CONVERTED_MAX = 200;

  private static final int SHOWN_MAX = 200;

  private StandardFunctions() {}

  /// @param replaced ids of overloads to leave out
  public static List<CelFunctionBinding> bindings(CelOptions options, Set<String> replaced) {
    var standard =
        CelStandardFunctions.newBuilder()
            .filterFunctions(
                (_, overload) -> !replaced.contains(overload.toString().toLowerCase(Locale.ROOT)))
            .build();
    var equality = RuntimeEquality.create(RuntimeHelpers.create(), options);
    var guarded = new ArrayList<CelFunctionBinding>();
    standard.newFunctionBindings(equality, options).forEach(it -> guarded.add(guard(it)));
    return guarded;
  }

  private static CelFunctionBinding guard(CelFunctionBinding binding) {
    if (!binding.isStrict()) {
      return binding;
    }
    var id = binding.getOverloadId();
    var body = binding.getDefinition();
    boolean parses = id.startsWith("string_to_") && !id.equals("string_to_bytes");
    return CelFunctionBinding.from(
        id,
        binding.getArgTypes(),
        args -> {
          if (parses && args[0] instanceof String text && text.length() > CONVERTED_MAX) {
            throw CelProblem.of(
                "a string of %d characters is no such value".formatted(text.length()));
          }
          return apply(body, args);
        });
  }

  private static Object apply(CelFunctionOverload body, Object[] args)
      throws CelEvaluationException {
    try {
      return body.apply(args);
    } catch (CelRuntimeException e) {
      throw e;
    } catch (RuntimeException e) {
      throw CelProblem.of(Operators.shorten(String.valueOf(e.getMessage()), SHOWN_MAX));
    }
  }
}
