package dev.superstep.langgraph.run;

import dev.superstep.run.stream.EventSink;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.Optional;

/// The form in which the events of one answer are written, for the run and the runs inside it.
/// Called by several threads.
///
/// Every method throws an `IOException` if the client has left.
public interface Frames extends AutoCloseable {

  /// @param namespace of a run inside, as `|node:task|node:task`; empty: the outermost
  /// @param position of stored events and of pieces of messages; empty: it need not come again
  void write(String event, String namespace, Value data, Optional<StreamPosition> position)
      throws IOException;

  void comment() throws IOException;

  void flush() throws IOException;

  /// Whether a message of which the client has a part is to be written whole when it is committed.
  default boolean repeatsMessages() {
    return false;
  }

  /// What sees the events of a run before they are written.
  default EventSink watched(EventSink writer, String namespace, String graph) {
    return writer;
  }

  /// Nothing is written from now on.
  @Override
  void close();
}
