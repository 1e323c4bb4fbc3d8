package dev.superstep.run.stream;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.regex.Pattern;

/// How a client names the last event that it has got: its `seq`, and the history of the database in
/// which it was sent. In the first history the id is the plain `seq`; in later ones it begins with
/// the number of the history.
///
/// @param era 0: not known; what the client has got is taken for part of the history
public record EventId(int era, long seq) {
  private static final Pattern ID = Pattern.compile("(?:([1-9][0-9]{0,8})\\.)?([0-9]{1,18})");

  static EventId of(long seq) {
    return new EventId(0, seq);
  }

  /// @throws ServiceException `invalid_header`
  public static EventId read(String header) {
    var id = ID.matcher(header.strip());
    if (!id.matches()) {
      throw new ServiceException(
          ErrorCode.INVALID_HEADER,
          "Last-Event-ID must be the id of an event, a number or two with a dot between");
    }
    int era = id.group(1) == null ? 1 : Integer.parseInt(id.group(1));
    return new EventId(era, Long.parseLong(id.group(2)));
  }

  public String text() {
    return era <= 1 ? Long.toString(seq) : era + "." + seq;
  }
}
