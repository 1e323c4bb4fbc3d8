package dev.superstep.langgraph.run;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.regex.Pattern;

/// The id of an event: what its client has seen. A number that ascends over the stream of a run,
/// made of the stored event that it comes from or behind, and of a place there:
///
/// - what a stored event has become: 26 bits of its `seq`, a 0, 35 of the index, 1 of `partial`
/// - a piece of a message: 26 bits of the `seq` before it, a 1, 6 that count changes of the
///   message, 20 of the end of the text so far, 9 of a hash of the message, 1 of `partial`
///
/// In later histories of the database than the first the number of the history and a dot stand
/// before it, as in ids of `/v1` ([dev.superstep.run.stream.EventId]).
///
/// @param era the history in which the event was sent; 0: not known
/// @param seq of the stored event
/// @param place 0: nothing of the event has been seen
/// @param partial whether the client has parts of messages, others than this piece's, that are not
///   committed
record StreamPosition(int era, long seq, TextPosition place, boolean partial) {
  /// Nothing has been seen.
  static final StreamPosition BEGIN = new StreamPosition(0, 0, new TextPosition.Stored(0), false);

  private static final Pattern ID = Pattern.compile("(?:([1-9][0-9]{0,8})\\.)?([0-9]{1,19})");
  private static final int SEQ_SHIFT = 37;
  private static final long LIVE = 1L << 36;
  private static final int CHANGES_SHIFT = 30;
  private static final int END_SHIFT = 10;
  private static final int HASH_BITS = 9;
  private static final long CHANGES_MAX = (1 << (36 - CHANGES_SHIFT)) - 1;
  private static final long END_MAX = (1 << (CHANGES_SHIFT - END_SHIFT)) - 1;
  private static final long INDEX_MAX = (1L << 35) - 1;
  private static final int HASH_MAX = (1 << HASH_BITS) - 1;

  /// A place at or behind a stored event.
  sealed interface TextPosition {
    /// @param index among what the event has become, from 1
    record Stored(long index) implements TextPosition {}

    /// @param changes how often the message has changed since the stored event
    /// @param end of the text of the message so far, in code points
    /// @param hash of the id of the message
    record PiecePosition(long changes, long end, int hash) implements TextPosition {
      boolean isOf(String message) {
        return hash == StreamPosition.hash(message);
      }
    }
  }

  /// Everything up to this stored event has been seen, as far as it goes on.
  static StreamPosition behind(long seq) {
    return new StreamPosition(0, seq, new TextPosition.Stored(INDEX_MAX), false);
  }

  static int hash(String message) {
    return message.hashCode() & HASH_MAX;
  }

  /// Whether it can be written: not beyond some million characters.
  boolean isExact() {
    return switch (place) {
      case TextPosition.Stored _ -> true;
      case TextPosition.PiecePosition(var changes, var end, _) ->
          changes <= CHANGES_MAX && end <= END_MAX;
    };
  }

  StreamPosition in(int history) {
    return new StreamPosition(history, seq, place, partial);
  }

  /// As a client gets it and sends it back.
  String text() {
    return era <= 1 ? Long.toString(number()) : era + "." + number();
  }

  private long number() {
    long at =
        switch (place) {
          case TextPosition.Stored(var index) -> index << 1;
          case TextPosition.PiecePosition(var changes, var end, var hash) ->
              LIVE | (changes << CHANGES_SHIFT) | (end << END_SHIFT) | ((long) hash << 1);
        };
    return (seq << SEQ_SHIFT) | at | (partial ? 1 : 0);
  }

  /// @throws ServiceException `invalid_header`
  static StreamPosition read(String header) {
    var id = ID.matcher(header.strip());
    if (id.matches()) {
      int era = id.group(1) == null ? 1 : Integer.parseInt(id.group(1));
      try {
        return of(era, Long.parseLong(id.group(2)));
      } catch (NumberFormatException _) {
        // reported below
      }
    }
    throw new ServiceException(
        ErrorCode.INVALID_HEADER,
        "Last-Event-ID must be the id of an event, a number or two with a dot between, or -1");
  }

  private static StreamPosition of(int era, long number) {
    long seq = number >>> SEQ_SHIFT;
    boolean partial = (number & 1) == 1;
    TextPosition place =
        (number & LIVE) == 0
            ? new TextPosition.Stored((number >>> 1) & INDEX_MAX)
            : new TextPosition.PiecePosition(
                (number >>> CHANGES_SHIFT) & CHANGES_MAX,
                (number >>> END_SHIFT) & END_MAX,
                (int) ((number >>> 1) & HASH_MAX));
    return new StreamPosition(era, seq, place, partial);
  }

  /// The stored event behind which the events are read.
  long after() {
    return place instanceof TextPosition.Stored ? Math.max(0, seq - 1) : seq;
  }

  /// Whether the client has seen this part of what a stored event has become.
  boolean hasSeen(long event, long index) {
    return event < seq
        || (event == seq && !(place instanceof TextPosition.Stored(var seen) && index > seen));
  }
}
