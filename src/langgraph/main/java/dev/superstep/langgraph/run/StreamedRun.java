package dev.superstep.langgraph.run;

import java.util.Optional;

/// The part of a stored run that is one run for the clients of this API: from its start or from a
/// resume on, until it comes to rest.
///
/// @param id as these clients know it
/// @param thread as they know it; of a run without one, its own id
/// @param assistant with which it was started
/// @param run the stored run
/// @param after the `seq` behind which its events are
/// @param until the `seq` of its last event, if another part follows
/// @param done whether nothing happened in it: there was nothing to go on with
record StreamedRun(
    String id,
    String thread,
    String assistant,
    String run,
    long after,
    Optional<Long> until,
    boolean done) {}
