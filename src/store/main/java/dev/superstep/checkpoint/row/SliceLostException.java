package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.work.TakenSlice;

/// Another replica has taken the slice, or it is not wanted any more; it must be dropped without
/// writing.
public final class SliceLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SliceLostException(TakenSlice slice) {
    super("%s is not wanted from here any more".formatted(slice));
  }
}
