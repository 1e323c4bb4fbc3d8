package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// A thread with the state from which the next run would start.
///
/// @param head the checkpoint of that state; empty: the thread has no committed checkpoint
public record ThreadView(ThreadSummary summary, Optional<CheckpointRef> head, ObjectValue state) {}
