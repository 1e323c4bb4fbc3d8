package dev.superstep.definition.sugar;

import dev.superstep.violation.Location;
import java.util.HashMap;
import java.util.Map;

/// Where an author wrote the parts of a long form. What has no origin of its own stands where its
/// parent does; what has none at all is where it was written.
public final class Origins {
  /// The author wrote the long form.
  public static final Origins NONE = new Origins(Map.of());

  /// Longer chains of origins than steps of the expansion do not exist.
  private static final int STEPS_MAX = 8;

  private final Map<String, Origin> origins;

  private Origins(Map<String, Origin> origins) {
    this.origins = Map.copyOf(origins);
  }

  private record Origin(String pointer, Members members) {}

  private enum Members {
    AS_WRITTEN,
    MADE
  }

  /// The pointer in the author's text for one in the long form.
  public String of(String pointer) {
    var found = pointer;
    for (int i = 0; i < STEPS_MAX; i++) {
      var next = step(found);
      if (next.equals(found)) {
        return found;
      }
      found = next;
    }
    return found;
  }

  private String step(String pointer) {
    for (int end = pointer.length(); end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      var origin = origins.get(pointer.substring(0, end));
      if (origin != null) {
        return switch (origin.members()) {
          case AS_WRITTEN -> origin.pointer() + pointer.substring(end);
          case MADE -> origin.pointer();
        };
      }
    }
    return pointer;
  }

  /// Collects origins while a definition is expanded.
  static final class Builder {
    private final Map<String, Origin> origins = new HashMap<>();

    /// The value at `here`, members included, stands at `pointer` in the author's text.
    void moved(Location here, String pointer) {
      origins.put(here.pointer(), new Origin(pointer, Members.AS_WRITTEN));
    }

    /// The value at `here` was made because of what stands at `pointer`.
    void made(Location here, String pointer) {
      origins.put(here.pointer(), new Origin(pointer, Members.MADE));
    }

    Origins build() {
      return new Origins(origins);
    }
  }
}
