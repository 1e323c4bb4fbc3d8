package dev.superstep.checkpoint.row;

/// Another replica has taken the slice, or it is not wanted any more; it must be dropped without
/// writing.
public final class SliceLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SliceLostException(TakenSlice slice) {
    super("%s (claim %d) is not wanted from here any more".formatted(slice, slice.claim()));
  }
}
