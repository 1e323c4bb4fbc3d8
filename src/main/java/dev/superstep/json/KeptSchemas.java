package dev.superstep.json;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.state.Canonical;
import dev.superstep.state.Value;
import dev.superstep.state.ValueCheck;
import org.springframework.stereotype.Component;

/// Compiled schemas that are met again and again: those of tools, and of the questions that a graph
/// asks. To compile one takes about as long as a commit. Bounded by the size of the schemas.
@Component
public final class KeptSchemas {
  private static final long CHARACTERS_MAX = 1 << 20;

  /// What a key and its entry take, however small the schema.
  private static final int ENTRY = 256;

  private final Cache<Value, ValueCheck> kept =
      Caffeine.newBuilder()
          .maximumWeight(CHARACTERS_MAX)
          .weigher((Value schema, ValueCheck _) -> weight(schema))
          .build();

  private static int weight(Value schema) {
    return (int) Math.min(ENTRY + Canonical.size(schema), CHARACTERS_MAX);
  }

  /// @throws InvalidSchemaException with all that is wrong about it, each time anew
  public ValueCheck compile(Value schema) {
    return kept.get(schema, Schemas::compile);
  }
}
