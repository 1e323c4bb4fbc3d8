package dev.superstep.expression.compile;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.superstep.expression.ExpressionLimits;
import dev.superstep.expression.function.CelFunctions;
import dev.superstep.expression.function.ListFunctions;
import dev.superstep.expression.function.ListsLibrary;
import dev.superstep.expression.function.Operators;
import dev.superstep.expression.function.StandardFunctions;
import dev.superstep.expression.function.StringFunctions;
import dev.superstep.expression.type.Overloads;
import dev.superstep.expression.value.Equality;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Configures CEL: the standard runtime (which CEL calls legacy), because the newer planner
/// evaluates shared structure exponentially, with our own bodies for everything that is not
/// bounded.
final class CelEngine {
  static final Set<String> RUN_VARIABLES =
      Set.of(
          "state",
          "input",
          "dispatch",
          "resume",
          "context",
          "variables",
          "metadata",
          "template",
          "history",
          "params",
          "run",
          "node",
          "error",
          "response",
          "now");
  static final Set<String> MERGE_VARIABLES = Set.of("left", "right");

  /// What the expectations of tests are about.
  static final Set<String> EXPECTATION_VARIABLES = Set.of("output", "state");

  private static final Map<String, CelType> TYPES = Map.of("now", SimpleType.TIMESTAMP);

  private final CelOptions options;
  private final CelFunctions celFunctions = new CelFunctions();
  private final CelRuntime runtime;
  private final Overloads overloads;

  CelEngine(ExpressionLimits limits) {
    options =
        CelOptions.current()
            .comprehensionMaxIterations(limits.iterationsMax())
            .maxRegexProgramSize(limits.regexMax())
            .maxExpressionCodePointSize(limits.sourceMax())
            .maxParseRecursionDepth(limits.nestingMax())
            .enableHeterogeneousNumericComparisons(true)
            .enableQuotedIdentifierSyntax(true)
            .build();
    runtime = newRuntime();
    overloads = new Overloads(declarations());
  }

  private List<CelFunctionDecl> declarations() {
    var all = new ArrayList<>(celFunctions.declarations());
    all.addAll(CelExtensions.strings().functions());
    all.addAll(CelExtensions.optional().functions());
    all.addAll(CelExtensions.lists().functions());
    all.addAll(CelExtensions.math().functions());
    all.addAll(CelExtensions.encoders(options).functions());
    return all;
  }

  Overloads overloads() {
    return overloads;
  }

  CelRuntime runtime() {
    return runtime;
  }

  CelCompiler compiler(Collection<String> variables) {
    var builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(options)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(
                CelExtensions.strings(),
                CelExtensions.bindings(),
                CelExtensions.optional(),
                CelExtensions.comprehensions(),
                new ListsLibrary(),
                CelExtensions.math(),
                CelExtensions.encoders(options))
            .addFunctionDeclarations(celFunctions.declarations());
    variables.forEach(it -> builder.addVar(it, TYPES.getOrDefault(it, SimpleType.DYN)));
    return builder.build();
  }

  /// Of several bodies of one overload the first counts, so that ours go before the libraries'.
  private CelRuntime newRuntime() {
    var equality = new Equality(options);
    var operators = new Operators(equality);
    var replaced = operators.bindings();
    var own = new ArrayList<>(replaced);
    own.addAll(StandardFunctions.bindings(options, ids(replaced)));
    own.addAll(celFunctions.bindings());
    own.addAll(operators.libraryBindings());
    own.addAll(StringFunctions.bindings());
    own.addAll(new ListFunctions(equality).bindings());
    return CelRuntimeFactory.legacyCelRuntimeBuilder()
        .setOptions(options)
        .setStandardEnvironmentEnabled(false)
        .addFunctionBindings(own)
        .addLibraries(
            CelExtensions.strings(),
            CelExtensions.optional(),
            CelExtensions.comprehensions(),
            CelExtensions.math())
        .build();
  }

  private static Set<String> ids(List<CelFunctionBinding> bindings) {
    return bindings.stream().map(CelFunctionBinding::getOverloadId).collect(Collectors.toSet());
  }
}
