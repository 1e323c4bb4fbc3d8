package dev.superstep.definition.web;

import dev.superstep.definition.GraphPosition;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.store.Definitions;
import dev.superstep.http.Listing;
import dev.superstep.request.Cursor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Names graph versions in paths, cursors and idempotency records.
final class Versions {
  private Versions() {}

  static String path(GraphVersion version) {
    return "/v1/graphs/%s/versions/%d".formatted(version.name(), version.version());
  }

  static String write(GraphVersion version) {
    return version.name() + "/" + version.version();
  }

  static GraphVersion find(Definitions definitions, String written) {
    var slash = written.indexOf('/');
    return definitions.version(
        written.substring(0, slash), Integer.parseInt(written.substring(slash + 1)));
  }

  static String cursorOfGraphs(GraphVersion last) {
    return Cursor.write(List.of(last.createdAt().toString(), last.name()));
  }

  static GraphPosition after(String cursor) {
    var parts = Cursor.read(cursor, 2);
    return new GraphPosition(parts.time(0), parts.text(1));
  }

  static String cursorOfVersions(GraphVersion last) {
    return Cursor.write(List.of(String.valueOf(last.version())));
  }

  static int below(String cursor) {
    return Cursor.read(cursor, 1).integer(0);
  }

  /// @param found one more than `limit` if there are more
  static Listing<GraphSummaryBody> listing(
      List<GraphVersion> found, int limit, Function<GraphVersion, String> cursor) {
    var shown = found.size() > limit ? found.subList(0, limit) : found;
    Optional<String> next =
        found.size() > limit ? Optional.of(cursor.apply(shown.getLast())) : Optional.empty();
    return Listing.of(shown.stream().map(GraphSummaryBody::of).toList(), next);
  }
}
