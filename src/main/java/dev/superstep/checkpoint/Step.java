package dev.superstep.checkpoint;

import dev.superstep.engine.Commit;

/// A plain commit as it goes into the database.
///
/// @param events those of the commit, in stored form
@SuppressWarnings("ArrayRecordComponent") // bytes on their way; never compared
record Step(Commit commit, Row row, byte[] events) {

  static Step of(Commit commit, Row row) {
    return new Step(commit, row, EventCodec.bytes(commit.events()));
  }

  long bytes() {
    var snapshot = row.snapshot();
    return (long) row.content().length + events.length + (snapshot == null ? 0 : snapshot.length);
  }
}
