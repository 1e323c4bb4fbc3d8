package dev.superstep.expression;

import dev.superstep.expression.Inspection.GivenVariables;
import dev.superstep.expression.TypeCheck.Expected;
import dev.superstep.graph.Condition;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Identifiers;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Route;
import dev.superstep.graph.Scope;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.ReduceException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/// Compiles expressions and templates (definitions, "Expressions: CEL").
///
/// Everything compiled is immutable, safe to share between threads, and bounded by
/// [ExpressionLimits]; keep it, compiling takes about a millisecond. What does not compile throws
/// an [InvalidExpressionException] with every problem; what fails later throws an
/// [ExpressionException].
@Component
public final class Expressions {
  private final CelProgram.Bounds bounds;
  private final CelEngine engine;
  private final Compilation forRuns;
  private final Compilation forMerges;
  private final Compilation forExpectations;
  private final Map<TriggerKind, Compilation> forTriggers = new EnumMap<>(TriggerKind.class);

  @Autowired
  public Expressions() {
    this(ExpressionLimits.DEFAULT);
  }

  public Expressions(ExpressionLimits limits) {
    bounds = new CelProgram.Bounds(limits, LongWork.ofThisMachine());
    engine = new CelEngine(limits);
    forRuns = compilation(CelEngine.RUN_VARIABLES);
    forMerges = compilation(CelEngine.MERGE_VARIABLES);
    forExpectations = compilation(CelEngine.EXPECTATION_VARIABLES);
    for (var kind : TriggerKind.values()) {
      forTriggers.put(kind, compilation(kind.variables()));
    }
  }

  private Compilation compilation(Set<String> variables) {
    return new Compilation(engine.compiler(variables), engine, bounds);
  }

  /// An expression over the variables of a run.
  public Expression compile(String source) {
    return forRuns.compile(source, Compilation.Use.VALUE);
  }

  /// An expression that is true or false; one that can be neither does not compile.
  public Condition compileCondition(String source) {
    return forRuns.compile(source, Compilation.Use.CONDITION)::test;
  }

  /// A condition over `output` and `state` of a run that a test has made.
  public Condition compileExpectation(String source) {
    return forExpectations.compile(source, Compilation.Use.CONDITION)::test;
  }

  /// An expression that names nodes or makes dispatches.
  public Route compileRoute(String source) {
    return forRuns.compile(source, Compilation.Use.ROUTE)::evaluate;
  }

  /// An expression over `left`, the accumulated value, and `right`, the incoming one (E19).
  public MergeFunction compileMerge(String source) {
    var program = forMerges.compile(source, Compilation.Use.VALUE);
    return (left, right) -> {
      try {
        return program.evaluate(name -> name.equals("left") ? left : right);
      } catch (ExpressionException e) {
        throw new ReduceException("", e.code() + ": " + e.getMessage());
      }
    };
  }

  /// A value whose strings may contain `{{ expression }}`. Problems have pointers into it.
  public Template compileTemplate(Value template) {
    return Template.compile(
        template, source -> forRuns.compile(source, Compilation.Use.VALUE), bounds);
  }

  /// A condition over what starts runs.
  public Condition compileCondition(TriggerKind kind, String source) {
    return of(kind).compile(source, Compilation.Use.CONDITION)::test;
  }

  /// A template over what starts runs.
  public Template compileTemplate(TriggerKind kind, Value template) {
    return Template.compile(
        template, source -> of(kind).compile(source, Compilation.Use.VALUE), bounds);
  }

  private Compilation of(TriggerKind kind) {
    return Objects.requireNonNull(forTriggers.get(kind));
  }

  /// The nodes that an expression names outright; none if it does not parse.
  public List<Mention> mentions(String source) {
    return inspect(source, Map.of(), Expected.VALUE).mentions();
  }

  /// The same of a text with segments `{{ expression }}`. What the segments give counts only where
  /// one segment is the whole text.
  public List<Mention> mentionsInTemplate(String text) {
    return inspectTemplate(text, Map.of()).mentions();
  }

  /// What an expression names, and what is wrong with it as far as types are known; nothing if it
  /// does not parse. It need not compile.
  ///
  /// @param types of variables; those of others are not known
  public Inspection inspect(String source, Map<String, ValueType> types, Expected expected) {
    return forRuns.inspect(source, types, expected);
  }

  /// The same of a text with segments `{{ expression }}`.
  public Inspection inspectTemplate(String text, Map<String, ValueType> types) {
    var mentions = new ArrayList<Mention>();
    var problems = new ArrayList<TypeProblem>();
    var sends = new ArrayList<Send>();
    boolean all = true;
    var given = GivenVariables.WRITTEN;
    int done = 0;
    int counted = 0;
    var start = Position.START;
    for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", done)) {
      int close = SourceText.endOfSegment(text, open + 2);
      if (close < 0) {
        break;
      }
      boolean whole = open == 0 && close + 2 == text.length();
      start = start.behind(text, counted, open + 2);
      counted = open + 2;
      var inspection = inspect(text.substring(open + 2, close), types, Expected.VALUE).after(start);
      inspection.mentions().stream()
          .filter(it -> whole || !it.kind().isGiven())
          .forEach(mentions::add);
      problems.addAll(inspection.problems());
      inspection.sends().ifPresent(sends::addAll);
      all &= inspection.sends().isPresent();
      given = whole ? inspection.given() : given;
      done = close + 2;
    }
    return new Inspection(mentions, problems, all ? Optional.of(sends) : Optional.empty(), given);
  }

  /// Compiles and evaluates at once, for authors of expressions: over the variables of runs and
  /// merges and whatever else is given. Those not given are null. `context` may be given as an
  /// object instead of `variables` and `metadata`.
  ///
  /// @throws InvalidExpressionException when it does not compile
  /// @throws ExpressionException when it fails
  public Value evaluate(String source, ObjectValue variables) {
    var names = new HashSet<>(CelEngine.RUN_VARIABLES);
    names.addAll(CelEngine.MERGE_VARIABLES);
    requireNames(variables);
    names.addAll(variables.asMap().keySet());
    var program = compilation(names).compile(source, Compilation.Use.VALUE);
    return program.evaluate(scope(variables));
  }

  private static Scope scope(ObjectValue variables) {
    boolean flatten = !variables.has("variables") && variables.has("context");
    return name ->
        flatten && name.equals("variables")
            ? flat(variables.getOr("context", Value.NULL))
            : variables.getOr(name, Value.NULL);
  }

  private static void requireNames(ObjectValue variables) {
    List<ExpressionProblem> problems = new ArrayList<>();
    variables.forEach((name, _) -> {
      if (!Identifiers.isName(name)) {
        problems.add(
            new ExpressionProblem(
                Pointer.child("", name), 1, 1, "'%s' is no variable name".formatted(name)));
      }
    });
    if (!problems.isEmpty()) {
      throw new InvalidExpressionException(problems);
    }
  }

  /// Nested objects as dotted keys (P1); empty objects are leaves.
  private static Value flat(Value value) {
    if (!(value instanceof ObjectValue object)) {
      return value;
    }
    var flat = new HashMap<String, Value>();
    object.forEach((key, member) -> put(flat, key, member));
    return ObjectValue.of(flat);
  }

  private static void put(Map<String, Value> flat, String key, Value value) {
    if (value instanceof ObjectValue object && !object.isEmpty()) {
      object.forEach((name, member) -> put(flat, key + "." + name, member));
    } else {
      flat.put(key, value);
    }
  }
}
