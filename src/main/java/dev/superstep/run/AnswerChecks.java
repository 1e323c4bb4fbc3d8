package dev.superstep.run;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Value;
import dev.superstep.state.ValueCheck;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Whether an answer is what the interrupt asked for (E37).
@Component
class AnswerChecks {

  List<ValueCheck.Violation> check(Optional<Value> schema, Value answer) {
    if (schema.isEmpty()) {
      return List.of();
    }
    throw new ServiceException(
        ErrorCode.NOT_SUPPORTED, "schemas of answers cannot be checked yet: " + answer.typeName());
  }
}
