package dev.superstep.langgraph.run;

import dev.superstep.run.stream.EventSink;
import java.io.IOException;
import java.util.Optional;

/// The form in which the events of one answer are written, for the run and the runs inside it.
/// Called by several threads.
///
/// Every method throws an `IOException` if the client has left.
interface Frames extends AutoCloseable {

  /// @param namespace of the run
  /// @param position of stored events and of pieces of messages; empty: it need not come again
  void write(StreamPart part, CheckpointNamespace namespace, Optional<StreamPosition> position)
      throws IOException;

  void comment() throws IOException;

  void flush() throws IOException;

  /// Whether a message of which the client has a part is to be written whole when it is committed.
  default boolean repeatsMessages() {
    return false;
  }

  /// What sees the events of a run before they are written.
  default EventSink watched(EventSink writer, CheckpointNamespace namespace, String graph) {
    return writer;
  }

  /// Nothing is written from now on.
  @Override
  void close();
}
