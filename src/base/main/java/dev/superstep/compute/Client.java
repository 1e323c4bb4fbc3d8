package dev.superstep.compute;

/// The client whose request a thread serves.
@FunctionalInterface
public interface Client {
  /// Bound while a connection is served whose state can be read.
  ScopedValue<Client> CURRENT = ScopedValue.newInstance();

  /// Whether it has closed its connection, or its half of it. Confined to the thread that serves
  /// it.
  boolean hasGone();
}
