package dev.superstep.node.spec;

import java.time.Duration;

/// The table CacheDefinition of the language.
public interface CacheSpec {
  /// CEL: tasks for which it gives the same have one result
  CacheSpec key(String value);

  /// How long a result is kept; no longer than its run
  CacheSpec ttl(Duration value);
}
