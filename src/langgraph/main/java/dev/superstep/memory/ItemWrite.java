package dev.superstep.memory;

import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;

/// An item to be written, in place of one with the same namespace and key.
///
/// @param ttl how long it lives from now on, and from each read on that refreshes it; empty: for
///   ever
record ItemWrite(Namespace namespace, String key, ObjectValue value, Optional<Duration> ttl) {}
