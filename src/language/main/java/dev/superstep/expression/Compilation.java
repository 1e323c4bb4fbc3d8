package dev.superstep.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelMutableAst;
import dev.cel.common.CelSource;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.superstep.expression.TypeCheck.Expected;
import java.util.List;
import java.util.Map;

/// Compiles the text of an expression to a program.
final class Compilation {
  private static final int TREE_DEPTH_PER_NESTING = 8;
  private final CelCompiler compiler;
  private final CelRuntime runtime;
  private final Overloads overloads;
  private final ExpressionLimits limits;
  private final CelProgram.Bounds bounds;

  Compilation(CelCompiler compiler, CelEngine engine, CelProgram.Bounds bounds) {
    this.compiler = compiler;
    this.runtime = engine.runtime();
    this.overloads = engine.overloads();
    this.limits = bounds.limits();
    this.bounds = bounds;
  }

  /// The purpose of an expression.
  enum Use {
    VALUE,
    CONDITION,
    ROUTE
  }

  /// @throws InvalidExpressionException with all problems found
  CelProgram compile(String source, Use use) {
    ExpressionCount.another();
    requireLength(source);
    try {
      return compileChecked(source, use);
    } catch (ContextPaths.RefusedPath e) {
      throw refused(Position.START, String.valueOf(e.getMessage()));
    } catch (CelValidationException | CelEvaluationException e) {
      throw refused(Position.START, String.valueOf(e.getMessage()));
    } catch (StackOverflowError _) {
      throw refused(Position.START, "nested too deeply; split it into smaller parts");
    }
  }

  /// What the expression says, given the types of variables; nothing if it cannot be parsed.
  Inspection inspect(String source, Map<String, ValueType> types, Expected expected) {
    try {
      ExpressionCount.requireWanted();
      requireLength(source);
      var parsed = compiler.parse(SourceText.withCelOperators(source));
      if (parsed.hasError()) {
        return Inspection.NONE;
      }
      var offsets = parsed.getAst().getSource().getPositionsMap();
      var root = CelMutableAst.fromCelAst(parsed.getAst()).expr();
      var problems = new TypeProblems(offsets, source);
      var check = new TypeCheck(overloads, types, problems);
      check.check(root, expected);
      return Mentions.of(root, offsets, source).inspection(problems.found(), check.sends());
    } catch (InvalidExpressionException | CelValidationException | StackOverflowError _) {
      return Inspection.NONE;
    }
  }

  private void requireLength(String source) {
    if (source.isBlank()) {
      throw refused(Position.START, "the expression is empty");
    }
    if (source.codePointCount(0, source.length()) > limits.sourceMax()) {
      throw refused(Position.START, "longer than %d characters".formatted(limits.sourceMax()));
    }
  }

  private CelProgram compileChecked(String source, Use use)
      throws CelValidationException, CelEvaluationException {
    var parsed = tree(compiler.parse(SourceText.withCelOperators(source)), source);
    var paths = new ContextPaths(limits.nestingMax() * TREE_DEPTH_PER_NESTING);
    var rewritten = rewrite(paths, parsed, source);
    var checked = tree(compiler.check(rewritten.tree()), source);
    requireType(checked.getResultType(), use);
    return new CelProgram(runtime.createProgram(checked), source, rewritten.keys(), bounds);
  }

  private static ContextPaths.Rewritten rewrite(
      ContextPaths paths, CelAbstractSyntaxTree parsed, String source) {
    try {
      return paths.rewrite(parsed);
    } catch (ContextPaths.RefusedPath e) {
      throw refused(position(parsed.getSource(), e.id, source), String.valueOf(e.getMessage()));
    }
  }

  private static Position position(CelSource positions, long id, String source) {
    var offset = positions.getPositionsMap().get(id);
    return offset == null ? Position.START : Position.ofCodePoint(source, offset);
  }

  private static CelAbstractSyntaxTree tree(CelValidationResult result, String source)
      throws CelValidationException {
    if (result.hasError()) {
      throw new InvalidExpressionException(problems(result.getErrors(), source));
    }
    return result.getAst();
  }

  /// Of what is wrong with the text itself, only the first: the rest comes from it.
  private static List<ExpressionProblem> problems(List<CelIssue> issues, String source) {
    var sentences = new SyntaxMessages(source);
    for (var issue : issues) {
      if (SyntaxMessages.isSyntax(issue.getMessage())) {
        var at = position(issue);
        return List.of(at.problem(sentences.sentence(issue.getMessage(), at)));
      }
    }
    var macro = issues.stream().filter(it -> CheckMessages.isMacro(it.getMessage())).toList();
    var causes =
        issues.stream().filter(it -> !CheckMessages.isConsequence(it.getMessage())).toList();
    var named = !macro.isEmpty() ? macro : causes.isEmpty() ? issues : causes;
    return named.stream()
        .map(it -> checked(it, source, sentences.before(position(it)).length()))
        .toList();
  }

  /// A function that is unknown is complained of at its bracket.
  private static ExpressionProblem checked(CelIssue issue, String source, int index) {
    boolean isCall = index < source.length() && source.charAt(index) == '(';
    return position(issue).problem(CheckMessages.sentence(issue.getMessage(), isCall));
  }

  private static Position position(CelIssue issue) {
    var at = issue.getSourceLocation();
    return new Position(Math.max(1, at.getLine()), Math.max(0, at.getColumn()) + 1);
  }

  private static void requireType(CelType type, Use use) {
    switch (use) {
      case VALUE -> {}
      case CONDITION -> require(type, "BOOL", "a condition must be true or false");
      case ROUTE ->
          require(
              type,
              "STRING LIST MAP NULL_TYPE OPAQUE",
              "a route must give a node id, a dispatch or a list of these");
    }
  }

  private static void require(CelType type, String allowed, String rule) {
    var kind = type.kind();
    boolean open = kind.isDyn() || kind.isTypeParam();
    if (!open && !List.of(allowed.split(" ")).contains(kind.name())) {
      throw refused(Position.START, "%s, this is %s".formatted(rule, TypeWords.of(type.name())));
    }
  }

  private static InvalidExpressionException refused(Position at, String message) {
    return new InvalidExpressionException(List.of(at.problem(message)));
  }
}
