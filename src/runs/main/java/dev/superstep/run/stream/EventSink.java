package dev.superstep.run.stream;

import dev.superstep.run.EventView;
import java.io.IOException;

/// Writes the events of one run in the format of some API. Called by one thread.
///
/// Every method throws an `IOException` if the client has left.
public interface EventSink {

  /// Writes a stored event that the client wants.
  ///
  /// @return whether it is the last one that the client gets
  boolean stored(EventView event) throws IOException;

  /// Writes an event that is not stored.
  void live(EventView event) throws IOException;

  /// The client has got everything up to this event, some of which it does not want.
  void position(long seq) throws IOException;

  /// From now on, events are sent in this history of the database.
  default void history(int era) {}

  /// Events behind `through` that the client has got are no part of the history any more: the
  /// database has gone back. What is there now follows.
  void rewound(String run, long through) throws IOException;

  /// Shows a silent client that the stream is alive.
  void comment() throws IOException;

  /// Asks the client to connect again.
  ///
  /// @param run whose stream ends early
  void cut(String run, StreamClosed reason) throws IOException;

  void flush() throws IOException;
}
