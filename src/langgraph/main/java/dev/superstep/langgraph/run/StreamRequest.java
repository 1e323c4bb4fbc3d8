package dev.superstep.langgraph.run;

import java.util.Set;

/// What a client wants of the stream of a run.
///
/// @param subgraphs whether of the runs that its tasks begin, too
/// @param cancels whether the run is cancelled when the client leaves
record StreamRequest(Set<StreamMode> modes, boolean subgraphs, boolean cancels) {
  StreamRequest {
    modes = Set.copyOf(modes);
  }
}
