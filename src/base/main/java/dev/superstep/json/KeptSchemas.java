package dev.superstep.json;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import org.springframework.stereotype.Component;

/// Caches compiled schemas that are used often: those of tools, and of the questions that a graph
/// asks. Compiling one takes about as long as a commit. Bounded by the size of the schemas.
@Component
public final class KeptSchemas {
  private static final long BYTES_MAX = 8 << 20;

  /// About what a compiled schema takes, however small.
  private static final int ENTRY = 16_384;

  private final Cache<Value, ValueCheck> kept =
      Caffeine.newBuilder()
          .maximumWeight(BYTES_MAX)
          .weigher((Value schema, ValueCheck _) -> weight(schema))
          .build();

  private static int weight(Value schema) {
    return (int) Math.min(ENTRY + Canonical.size(schema), BYTES_MAX);
  }

  /// @throws InvalidSchemaException with all that is wrong about it, each time anew
  public ValueCheck compile(Value schema) {
    return kept.get(schema, Schemas::compile);
  }
}
