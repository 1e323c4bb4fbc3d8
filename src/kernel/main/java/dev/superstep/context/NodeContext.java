package dev.superstep.context;

import dev.superstep.context.Trace.Reason;
import dev.superstep.context.TraceStep.Stage;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How one node takes the prompt context that arrives, ready to use from several threads (P8, P9,
/// P13, S4-7): first its type, then its filter.
public final class NodeContext {
  public static final NodeContext PASS_THROUGH =
      new NodeContext(
          new Declared(
              NodeContextType.Standard.PASS_THROUGH, Own.NONE, Optional.empty(), List.of()),
          ContextCache.NONE);
  private static final ActiveRules NO_CONDITIONS = new ActiveRules(new BitSet(), List.of());

  private final Declared declared;
  private final @Nullable ContextFilter filter;
  private final CacheUse cacheUse;

  /// What a node declares.
  ///
  /// @param filter its own or the default one of its type
  /// @param processor of a custom type
  /// @param required keys without which it does not run (P13)
  public record Declared(
      NodeContextType type, Own filter, Optional<Processing> processor, List<Glob> required) {
    public Declared {
      required = List.copyOf(required);
    }
  }

  /// A node's filter, and whose it is.
  ///
  /// @param filter of several rule filters, all of them merged
  /// @param beside filters in Java, which run in parallel
  /// @param pointer to what the reasons of these begin at
  public record Own(
      Optional<ContextFilter> filter, Stage stage, ParallelFilters beside, String pointer) {
    public static final Own NONE = new Own(Optional.empty(), Stage.FILTER);

    public Own(Optional<ContextFilter> filter, Stage stage) {
      this(filter, stage, ParallelFilters.NONE, "/context_filter");
    }

    public boolean isNone() {
      return filter.isEmpty() && beside.isNone();
    }
  }

  /// A processor with the node's configuration of it.
  public record Processing(ContextProcessor processor, ObjectValue config) {}

  public NodeContext(Declared declared, ContextCache cache) {
    this.declared = declared;
    filter = declared.filter.filter.orElse(null);
    cacheUse = new CacheUse(cache, filterKey(declared));
  }

  private static Value filterKey(Declared declared) {
    return ListValue.of(
        Value.of(declared.type.key()),
        declared.filter.filter.map(FilterKey::of).orElse(Value.NULL),
        declared.processor.<Value>map(Processing::config).orElse(Value.NULL));
  }

  public NodeContextType type() {
    return declared.type;
  }

  public Optional<ContextFilter> filter() {
    return declared.filter.filter;
  }

  /// Whether the node sees whatever arrives.
  public boolean isTransparent() {
    return declared.filter.isNone()
        && switch (declared.type) {
          case NodeContextType.Custom _ -> false;
          case NodeContextType.Standard it ->
              it == NodeContextType.Standard.PASS_THROUGH || it == NodeContextType.Standard.MERGE;
        };
  }

  /// Whether making its views calls filters in Java, which may take their time.
  public boolean callsOut() {
    return !declared.filter.beside.isNone();
  }

  /// The node's view of `arriving`, the merged contexts of its edges. Conditions of its filter see
  /// `arriving` too, so that they can ask for what the node itself does not see.
  ///
  /// @throws ContextException if a processor or transform fails
  public View view(PromptContext arriving, ConditionScope scope) {
    if (isTransparent()) {
      return View.of(arriving);
    }
    var activeRules = filter == null ? NO_CONDITIONS : filter.activeRules(arriving, scope);
    return new View(cached(arriving, activeRules), under(activeRules.failures()));
  }

  private PromptContext cached(PromptContext arriving, ActiveRules activeRules) {
    if (callsOut()) {
      return make(arriving, activeRules, Trace.OFF); // their dependencies are unknown
    }
    var processing = declared.processor.orElse(null);
    if (processing == null) {
      return cacheUse.get(arriving, activeRules, () -> make(arriving, activeRules, Trace.OFF));
    }
    return processing.processor.pure()
        ? cacheUse.always(arriving, activeRules, () -> make(arriving, activeRules, Trace.OFF))
        : make(arriving, activeRules, Trace.OFF);
  }

  /// The same, with a reason for every item.
  ///
  /// @param node its id, for the reasons
  public View explain(PromptContext arriving, ConditionScope scope, Trace trace, String node) {
    var activeRules = filter == null ? NO_CONDITIONS : filter.activeRules(arriving, scope);
    var failures = under(activeRules.failures());
    trace.failed(failures);
    trace.from(node);
    return new View(make(arriving, activeRules, trace), failures);
  }

  private List<FailedCondition> under(List<FailedCondition> failures) {
    return failures.isEmpty()
        ? failures
        : failures.stream().map(it -> it.under(declared.filter.pointer)).toList();
  }

  private PromptContext make(PromptContext arriving, ActiveRules activeRules, Trace trace) {
    var typed =
        switch (declared.type) {
          case NodeContextType.Standard it -> it.apply(arriving, trace.at(Stage.TYPE));
          case NodeContextType.Custom it -> process(it, arriving, trace.at(Stage.PROCESSOR));
        };
    var beside = declared.filter.beside;
    trace.at(declared.filter.stage);
    var ruled = filter == null ? typed : filter.apply(typed, activeRules, trace);
    double priority = filter == null ? 0 : filter.priority();
    return beside.isNone() ? ruled : beside.join(typed, ruled, priority, trace);
  }

  private PromptContext process(NodeContextType.Custom type, PromptContext arriving, Trace trace) {
    var processing =
        declared.processor.orElseThrow(() ->
            new ContextException(
                ContextException.PROCESSOR_FAILED,
                "this server has no context processor '%s'".formatted(type.name())));
    var made = call(type.name(), processing, arriving);
    trace.replaced(
        made, new Reason(type.key(), "what processor %s returns".formatted(type.name())));
    return made;
  }

  /// Users' code is not checked for null: it may return it.
  private static PromptContext call(String name, Processing processing, PromptContext arriving) {
    try {
      @Nullable PromptContext made = processing.processor.process(arriving, processing.config);
      if (made != null) {
        return made;
      }
    } catch (RuntimeException e) {
      throw new ContextException(
          ContextException.PROCESSOR_FAILED,
          "context processor %s: %s".formatted(name, e.getMessage()),
          e);
    }
    throw new ContextException(
        ContextException.PROCESSOR_FAILED, "context processor %s returned null".formatted(name));
  }

  /// What the node passes on in mode `chain` (P12): what its includes and excludes leave of
  /// `outgoing`, untransformed.
  ///
  /// @param outgoing its incoming view with its own variables on top
  public View outgoing(PromptContext outgoing, ConditionScope scope) {
    var narrowed = filter == null ? View.of(outgoing) : filter.narrow(outgoing, scope);
    var beside = declared.filter.beside;
    return beside.isNone()
        ? narrowed
        : new View(beside.narrow(outgoing, narrowed.context()), narrowed.failures());
  }

  /// The patterns of `required_context` that no variable and no metadata of `view` matches: the
  /// node cannot run (P13, S4-7 `validateContextCompatibility`).
  public List<Glob> unmet(PromptContext view) {
    return declared.required.isEmpty()
        ? List.of()
        : declared.required.stream().filter(it -> !isMet(it, view)).toList();
  }

  private static boolean isMet(Glob required, PromptContext view) {
    return required.isLiteral()
        ? view.variables().has(required.toString()) || view.metadata().has(required.toString())
        : matchesOne(required, view.variables()) || matchesOne(required, view.metadata());
  }

  private static boolean matchesOne(Glob required, ObjectValue members) {
    return members.asMap().keySet().stream().anyMatch(required::matches);
  }
}
