package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointKind;
import dev.superstep.engine.Commit;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/// A checkpoint as the bytes that are about to be written.
///
/// @param weight once it is written
/// @param snapshot null: only the delta
@SuppressWarnings("ArrayRecordComponent") // bytes on their way; never compared
record Row(
    int number,
    CheckpointKind kind,
    int superstep,
    Weight weight,
    byte[] stateHash,
    byte[] content,
    byte @Nullable [] snapshot) {

  static Row of(Commit.Write write, @Nullable Weight parent) {
    var after = write.after();
    var content = Content.of(write).bytes();
    var hash = HexFormat.of().parseHex(after.stateHash());
    var kind = after.stamp().kind();
    if (parent != null) {
      var weight = parent.plus(content.length);
      if (!weight.needsSnapshot()) {
        return new Row(after.number(), kind, after.superstep(), weight, hash, content, null);
      }
    }
    var snapshot = Snapshot.of(after).bytes();
    var weight = Weight.ofSnapshot(after.number(), snapshot.length);
    return new Row(
        after.number(), kind, after.superstep(), weight, hash, content, Deflated.pack(snapshot));
  }

  StatementSpec bind(StatementSpec statement) {
    return statement
        .param("number", number)
        .param("kind", kind.name().toLowerCase(Locale.ROOT))
        .param("committed", superstep)
        .param("base", weight.base())
        .param("deltaBytes", weight.deltaBytes())
        .param("snapshotBytes", weight.snapshotBytes())
        .param("stateHash", stateHash)
        .param("content", content)
        .param("snapshot", snapshot);
  }
}
