package dev.superstep.run.check;

import dev.superstep.compute.ComputePool;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.KeptSchemas;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Checks whether an answer matches the schema of its interrupt (E37).
@Component
public class AnswerChecks {
  private static final Logger log = LoggerFactory.getLogger(AnswerChecks.class);

  private final KeptSchemas schemas;
  private final ComputePool compute;

  AnswerChecks(KeptSchemas schemas, ComputePool compute) {
    this.schemas = schemas;
    this.compute = compute;
  }

  public List<ValueCheck.Mismatch> check(Optional<Value> schema, Value answer) {
    return schema.map(it -> check(it, answer)).orElse(List.of());
  }

  /// A node may have sent an invalid schema. Refusing every answer would block its run, so any
  /// answer is accepted.
  private List<ValueCheck.Mismatch> check(Value schema, Value answer) {
    try {
      return compute.call(
          Canonical.size(schema) + Canonical.size(answer),
          () -> schemas.compile(schema).check(answer));
    } catch (InvalidSchemaException e) {
      log.warn("An answer was accepted unchecked, for the schema of its interrupt is invalid", e);
      return List.of();
    }
  }
}
