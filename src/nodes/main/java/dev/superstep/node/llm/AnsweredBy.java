package dev.superstep.node.llm;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// Which model has answered.
///
/// @param model its name in the settings
/// @param choice whether there were others
/// @param passedOver those before it, in the order in which they were
record AnsweredBy(String model, Choice choice, List<PassedModel> passedOver) {
  AnsweredBy {
    passedOver = List.copyOf(passedOver);
  }

  /// The only model that the node names.
  static AnsweredBy only(String model) {
    return new AnsweredBy(model, Choice.ONE, List.of());
  }

  enum Choice {
    ONE,
    LIST
  }

  /// @param code why
  record PassedModel(String model, String code) {
    private ObjectValue value() {
      return ObjectValue.of("model", model).plus("code", code);
    }
  }

  /// The metadata of the message that the answer becomes.
  ObjectValue addedTo(ObjectValue metadata) {
    if (choice == Choice.ONE) {
      return metadata;
    }
    var added = metadata.plus("answered_by", model);
    return passedOver.isEmpty()
        ? added
        : added.plus(
            "passed_over", ListValue.of(passedOver.stream().map(PassedModel::value).toList()));
  }
}
