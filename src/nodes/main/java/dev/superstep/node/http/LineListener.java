package dev.superstep.node.http;

import java.util.Optional;
import java.util.function.Consumer;

/// Receives the lines of an answer while it arrives. They are provisional: only the complete answer
/// counts.
@FunctionalInterface
interface LineListener {
  LineListener NONE = _ -> Optional.empty();

  /// @param mediaType of an answer with status 200
  /// @return consumes its lines, on the thread that reads them; empty: the answer is read as a
  ///   whole
  Optional<Consumer<String>> listen(String mediaType);
}
