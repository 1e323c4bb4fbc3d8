package dev.superstep.definition.form;

import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import java.util.HashMap;
import java.util.Map;

/// Where an author wrote the parts of a long form. What has no origin of its own stands where its
/// parent does; what has none at all is where it was written.
public final class Origins {
  /// The author wrote the long form.
  public static final Origins NONE = new Origins(Map.of(), Map.of());

  /// Longer chains of origins than steps of the expansion do not exist.
  private static final int STEPS_MAX = 8;

  private final Map<String, TextOrigin> origins;

  /// Texts that were put together, by where the author used them.
  private final Map<String, Splice> splices;

  private Origins(Map<String, TextOrigin> origins, Map<String, Splice> splices) {
    this.origins = Map.copyOf(origins);
    this.splices = Map.copyOf(splices);
  }

  private record TextOrigin(String pointer, MemberOrigins members) {}

  private enum MemberOrigins {
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

  /// A violation of the long form, reported in the author's text.
  public Violation of(Violation violation) {
    var found = violation.movedTo(of(violation.pointer()));
    var splice = splices.get(found.pointer());
    return splice == null ? found : splice.unspliced(found);
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
    private final Map<String, TextOrigin> origins = new HashMap<>();
    private final Map<String, Splice> splices = new HashMap<>();

    /// The value at `here`, members included, stands at `pointer` in the author's text.
    void moved(Location here, String pointer) {
      origins.put(here.pointer(), new TextOrigin(pointer, MemberOrigins.AS_WRITTEN));
    }

    /// The value at `here` was made because of what stands at `pointer`.
    void made(Location here, String pointer) {
      origins.put(here.pointer(), new TextOrigin(pointer, MemberOrigins.MADE));
    }

    /// The text at `here` was put together.
    void spliced(Location here, Splice splice) {
      splices.put(here.pointer(), splice);
    }

    Origins build() {
      return new Origins(origins, splices);
    }
  }
}
