package dev.superstep.checkpoint.row;

import java.util.Optional;
import java.util.OptionalLong;

/// Recognises a write without a checkpoint that took effect although its acknowledgement was lost:
/// only the driver with the lease increments `run.driver_writes`, so if a retry would give a higher
/// number than the try before it, that try is on disk.
final class LostAcknowledgement {
  private OptionalLong tried = OptionalLong.empty();

  /// Records what the transaction that is about to commit has written.
  ///
  /// @return whether an earlier try is on disk, so that this one must be rolled back
  boolean precedes(Optional<WrittenHead> written) {
    if (written.isEmpty()) {
      return false;
    }
    var number = written.get().driverWrites();
    if (tried.isPresent() && number > tried.getAsLong()) {
      return true;
    }
    tried = OptionalLong.of(number);
    return false;
  }
}
