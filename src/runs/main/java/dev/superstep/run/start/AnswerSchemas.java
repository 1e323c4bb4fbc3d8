package dev.superstep.run.start;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.compute.ComputePool;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.KeptSchemas;
import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Checks answers against the schemas of questions (E37).
@Component
class AnswerSchemas {
  private static final Logger log = LoggerFactory.getLogger(AnswerSchemas.class);

  private final KeptSchemas schemas;
  private final ComputePool compute;

  AnswerSchemas(KeptSchemas schemas, ComputePool compute) {
    this.schemas = schemas;
    this.compute = compute;
  }

  List<Mismatch> mismatches(StoredInterrupt requested, Value answer) {
    return requested.question().schema().map(it -> mismatches(it, answer)).orElse(List.of());
  }

  /// A node may have sent an invalid schema. Refusing every answer would block its run, so any
  /// answer is accepted.
  private List<Mismatch> mismatches(Value schema, Value answer) {
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
