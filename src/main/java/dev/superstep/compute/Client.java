package dev.superstep.compute;

/// The client whose request a thread serves.
@FunctionalInterface
public interface Client {
  /// Bound while a connection that can be asked is served.
  ScopedValue<Client> CURRENT = ScopedValue.newInstance();

  /// Whether it has closed its connection, or its half of it. Only for the thread that serves it.
  boolean hasGone();
}
