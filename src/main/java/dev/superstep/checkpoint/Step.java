package dev.superstep.checkpoint;

import dev.superstep.engine.Commit;

/// A plain commit as it goes into the database.
///
/// @param events those of the commit, in stored form
/// @param cancel whether a request to cancel stops it
/// @param outcomes recorded ones that it includes and takes away
@SuppressWarnings("ArrayRecordComponent") // bytes on their way; never compared
record Step(Commit commit, Row row, byte[] events, Cancel cancel, Weights.Outcomes outcomes) {

  enum Cancel {
    STOPS,
    COMES_LATER
  }

  static Step of(Commit commit, Row row, Weights.Outcomes outcomes) {
    var cancel = Purpose.passesCancel(commit.head()) ? Cancel.COMES_LATER : Cancel.STOPS;
    return new Step(commit, row, EventCodec.bytes(commit.events()), cancel, outcomes);
  }

  /// One that the driver has been told is committed: a request to cancel comes behind it.
  static Step promised(Commit commit, Row row, Weights.Outcomes outcomes) {
    return new Step(commit, row, EventCodec.bytes(commit.events()), Cancel.COMES_LATER, outcomes);
  }

  boolean passesCancel() {
    return cancel == Cancel.COMES_LATER;
  }

  boolean includesOutcomes() {
    return outcomes == Weights.Outcomes.PERHAPS;
  }

  long bytes() {
    var snapshot = row.snapshot();
    return (long) row.content().length + events.length + (snapshot == null ? 0 : snapshot.length);
  }
}
