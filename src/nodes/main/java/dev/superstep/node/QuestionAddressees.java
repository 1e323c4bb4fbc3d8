package dev.superstep.node;

import dev.superstep.engine.run.Addressees;
import dev.superstep.expression.Expression;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// Whom the questions of a node are for: the members `assignee`, `candidates` and `not` of a
/// `config`.
///
/// @param members as templates
public record QuestionAddressees(Expression members) {
  private static final QuestionAddressees NOBODY = new QuestionAddressees(_ -> ObjectValue.empty());

  /// What is no template is refused at once if it is wrong.
  public static QuestionAddressees of(NodeConfig config) {
    var given = ObjectValue.empty();
    var literal = ObjectValue.empty();
    for (var key : AddresseesReader.KEYS.stream().sorted().toList()) {
      var member = config.find(key);
      if (member.isPresent()) {
        given = given.plus(key, member.get());
        literal = isTemplate(member.get()) ? literal : literal.plus(key, member.get());
      }
    }
    if (given.isEmpty()) {
      return NOBODY;
    }
    problems(literal)
        .forEach(it -> config.refuse(it.pointer().substring(1), "invalid_value", it.message()));
    return new QuestionAddressees(config.members(given));
  }

  private static boolean isTemplate(Value value) {
    return Canonical.text(value).contains("{{");
  }

  /// Those of a question that is asked now.
  ///
  /// @throws ExpressionException if what the templates give names nobody
  public Addressees evaluate(Scope scope) {
    if (equals(NOBODY)) {
      return Addressees.NONE;
    }
    var violations = new Violations();
    var read = AddresseesReader.read(ResultValues.of(members.evaluate(scope), violations.root()));
    for (var wrong : violations.errors()) {
      throw new ExpressionException(
          "invalid_value", "%s: %s".formatted(wrong.pointer(), wrong.message()));
    }
    return read;
  }

  private static List<Violation> problems(ObjectValue literal) {
    var violations = new Violations();
    AddresseesReader.read(ResultValues.of(literal, violations.root()));
    return violations.errors();
  }
}
