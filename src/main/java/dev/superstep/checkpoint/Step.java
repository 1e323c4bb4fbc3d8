package dev.superstep.checkpoint;

import dev.superstep.engine.Commit;

/// A plain commit as it goes into the database.
///
/// @param events those of the commit, in stored form
/// @param cancel whether a request to cancel stops it
@SuppressWarnings("ArrayRecordComponent") // bytes on their way; never compared
record Step(Commit commit, Row row, byte[] events, Cancel cancel) {

  enum Cancel {
    STOPS,
    COMES_LATER
  }

  static Step of(Commit commit, Row row) {
    var cancel = Purpose.passesCancel(commit.head()) ? Cancel.COMES_LATER : Cancel.STOPS;
    return new Step(commit, row, EventCodec.bytes(commit.events()), cancel);
  }

  /// One that the driver has been told is committed: a request to cancel comes behind it.
  static Step promised(Commit commit, Row row) {
    return new Step(commit, row, EventCodec.bytes(commit.events()), Cancel.COMES_LATER);
  }

  boolean passesCancel() {
    return cancel == Cancel.COMES_LATER;
  }

  long bytes() {
    var snapshot = row.snapshot();
    return (long) row.content().length + events.length + (snapshot == null ? 0 : snapshot.length);
  }
}
