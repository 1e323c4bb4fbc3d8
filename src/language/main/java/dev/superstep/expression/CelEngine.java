package dev.superstep.expression;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelParserBuilder;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
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
          "outcomes",
          "resume",
          "context",
          "variables",
          "metadata",
          "template",
          "history",
          "params",
          "run",
          "callback",
          "event",
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

  /// CEL's extension for lists, with another type for `sortBy`: the library's own is that of the
  /// pairs which it sorts, so that the fields of sorted items could not be selected.
  private static final class ListsLibrary implements CelCompilerLibrary {
    private final CelListsExtensions lists = CelExtensions.lists();

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
      lists.setCheckerOptions(checker);
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
      lists.macros().forEach(it -> parser.addMacros(dynamic(it)));
    }

    private static CelMacro dynamic(CelMacro sortBy) {
      return CelMacro.newReceiverMacro(
          sortBy.getFunction(),
          2,
          (factory, target, arguments) ->
              sortBy
                  .getExpander()
                  .expandMacro(factory, target, arguments)
                  .map(it -> factory.newGlobalCall("dyn", it)));
    }
  }

  /// CEL's standard functions, but for those we replace, with a guard: whatever they throw becomes
  /// a short message. CEL itself would write out their arguments.
  @SuppressWarnings("Immutable") // CEL's bindings are
  private static final class StandardFunctions {
    /// No number, time or duration is longer.
    private static final int CONVERTED_MAX = 200;

    private static final int SHOWN_MAX = 200;

    private StandardFunctions() {}

    /// @param replaced ids of overloads to leave out
    static List<CelFunctionBinding> bindings(CelOptions options, Set<String> replaced) {
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
}
