package dev.superstep.node.outbound;

import java.util.Optional;
import java.util.function.Consumer;

/// Hears of the lines of an answer while it arrives. What it hears may be void: the answer that is
/// whole in the end is the truth.
@FunctionalInterface
public interface LineListener {
  LineListener NONE = _ -> Optional.empty();

  /// @param mediaType of an answer with status 200
  /// @return what takes its lines, on the thread that reads them; empty: it is read in one go
  Optional<Consumer<String>> listen(String mediaType);
}
