package dev.superstep.run.web.response;

import dev.superstep.http.Query;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What a client wants with each `superstep.committed`, so that it need not request the checkpoint.
public enum Contents {
  CHANGES,
  STATE;

  private static final String PARAMETER = "with";

  private String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Reads `with`, a list with commas, which may be repeated.
  public static Set<Contents> of(Query query) {
    var wanted = EnumSet.noneOf(Contents.class);
    for (var list : query.all(PARAMETER)) {
      for (var word : list.split(",", -1)) {
        wanted.add(
            Arrays.stream(values())
                .filter(it -> it.apiName().equals(word.strip()))
                .findFirst()
                .orElseThrow(() -> Query.invalid(PARAMETER, "must be of " + words())));
      }
    }
    return wanted;
  }

  private static String words() {
    return Arrays.stream(values()).map(Contents::apiName).collect(Collectors.joining(", "));
  }
}
