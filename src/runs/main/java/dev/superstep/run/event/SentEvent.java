package dev.superstep.run.event;

import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;

/// A CloudEvent as its sender has it.
///
/// @param content all of it, in the JSON format of CloudEvents
/// @param expires until when it is worth something; empty: as long as others
public record SentEvent(
    String source, String id, String type, ObjectValue content, Optional<Instant> expires) {}
