package dev.superstep.run.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.definition.form.TriggerTables.StartMapping;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.Template;
import dev.superstep.expression.TriggerKind;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Scope;
import dev.superstep.run.StartRun;
import dev.superstep.state.value.Hash;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Says which run starts for what comes from outside, and with which input. The id of the run comes
/// of the id of what has come, so that it starts once.
@Component
class MappedStarts {
  private static final int COMPILED_MAX = 1_000;
  private static final int HASH_CHARS = 32;

  private final Expressions expressions;
  private final Cache<KindOfMapping, CompiledMapping> compiled =
      Caffeine.newBuilder().maximumSize(COMPILED_MAX).build();

  MappedStarts(Expressions expressions) {
    this.expressions = expressions;
  }

  private record KindOfMapping(TriggerKind kind, StartMapping mapping) {}

  private record CompiledMapping(Optional<Condition> condition, Optional<Template> input) {}

  private CompiledMapping compiled(TriggerKind kind, StartMapping mapping) {
    return compiled.get(
        new KindOfMapping(kind, mapping),
        _ ->
            new CompiledMapping(
                mapping.condition().map(it -> expressions.compileCondition(kind, it)),
                Optional.of(mapping.input())
                    .filter(it -> !it.isEmpty())
                    .map(it -> expressions.compileTemplate(kind, it))));
  }

  /// @throws dev.superstep.graph.ExpressionException if the condition fails
  boolean matches(TriggerKind kind, StartMapping mapping, Scope scope) {
    return compiled(kind, mapping).condition().filter(it -> !it.test(scope)).isEmpty();
  }

  /// @param whole what is the input where nothing maps it; what is no object becomes a member of
  ///   this name
  /// @throws dev.superstep.graph.ExpressionException if the mapping fails
  ObjectValue input(TriggerKind kind, StartMapping mapping, Scope scope, String whole) {
    var input =
        compiled(kind, mapping)
            .input()
            .map(it -> it.render(scope))
            .orElseGet(() -> scope.get(whole));
    return input instanceof ObjectValue object ? object : ObjectValue.of(whole, input);
  }

  /// The id of the run, as rows have it.
  String run(InboundTrigger trigger, String delivery) {
    return Tenant.of(trigger.graph())
        .own(trigger.trigger() + "." + hash((trigger.graph() + "\n" + delivery).getBytes(UTF_8)));
  }

  StartRun request(
      InboundTrigger trigger, String run, ObjectValue input, Map<String, String> metadata) {
    return new StartRun(
        trigger.graph(),
        Optional.empty(),
        input,
        Optional.empty(),
        Optional.of(run),
        Optional.empty(),
        metadata,
        StartRun.Options.DEFAULT);
  }

  static String hash(byte[] content) {
    return HexFormat.of().formatHex(Hash.sha256().digest(content)).substring(0, HASH_CHARS);
  }
}
