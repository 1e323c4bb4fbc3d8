package dev.superstep.schedule;

/// An invitation to execute slices of one wide superstep.
///
/// @param epoch of the driver that cut it
/// @param number of the slice that it is issued for; the invited replica takes any slice
/// @param claim how often that slice was taken before
public record SliceWake(String run, int superstep, long epoch, int number, int claim) {
  private static final int PARTS = 5;

  /// The name under which it is scheduled. Run ids hold no slash.
  public String instance() {
    return "%s/%d/%d/%d/%d".formatted(run, superstep, epoch, number, claim);
  }

  public static SliceWake parse(String instance) {
    var parts = instance.split("/", PARTS);
    return new SliceWake(
        parts[0],
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]),
        Integer.parseInt(parts[3]),
        Integer.parseInt(parts[4]));
  }
}
