package dev.superstep.node;

import dev.superstep.engine.run.InterruptRequest.Expiry;
import dev.superstep.expression.Expression;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Location;
import dev.superstep.graph.Scope;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// Until when a question of a node waits, and what answers it then: the members `expires_after`,
/// `on_expiry` and `default_answer` of a `config`.
///
/// @param answer empty: the task fails
public record AnswerDeadline(Expression after, Optional<Expression> answer) {
  private static final String AFTER = "expires_after";
  private static final String ON_EXPIRY = "on_expiry";
  private static final String DEFAULT = "default_answer";
  private static final String NOT_APPLICABLE = "not_applicable";

  /// Empty: the question waits for ever.
  ///
  /// @param answers what every answer satisfies: a default that is no template is refused at once
  ///   if it does not (E37)
  public static Optional<AnswerDeadline> of(NodeConfig config, ValueCheck answers) {
    config
        .find(DEFAULT)
        .filter(it -> !Canonical.text(it).contains("{{"))
        .ifPresent(it ->
            answers
                .byPointer(it)
                .forEach(wrong ->
                    config.refuse(DEFAULT + wrong.pointer(), "schema_violation", wrong.message())));
    var deadline =
        new AnswerDeadline(
            config.duration(AFTER),
            config.isText(ON_EXPIRY, "answer")
                ? Optional.of(config.template(DEFAULT))
                : Optional.empty());
    return config.has(AFTER) ? Optional.of(deadline) : Optional.empty();
  }

  /// Reports what has no effect in such a `config`.
  public static void advise(ObjectValue config, Location at) {
    if (config.has(ON_EXPIRY) && !config.has(AFTER)) {
      at.key(ON_EXPIRY)
          .error(
              NOT_APPLICABLE,
              "has no effect: the question never expires; say expires_after or remove it");
    }
    if (config.has(DEFAULT) && !Value.of("answer").equals(config.get(ON_EXPIRY))) {
      at.key(DEFAULT)
          .error(
              NOT_APPLICABLE,
              "has no effect: it answers only with on_expiry: answer; set that or remove it");
    }
  }

  /// That of a question that is asked now.
  ///
  /// @param answers what an answer to it must satisfy, as the default must (E37)
  public Expiry expiry(Scope scope, ValueCheck answers) {
    return new Expiry(
        NodeConfig.duration(AFTER, after.evaluate(scope)),
        answer.map(it -> fit(it.evaluate(scope), answers)));
  }

  private static Value fit(Value answer, ValueCheck answers) {
    for (var wrong : answers.check(answer)) {
      throw new ExpressionException(
          "schema_violation", "/%s%s: %s".formatted(DEFAULT, wrong.pointer(), wrong.message()));
    }
    return answer;
  }
}
