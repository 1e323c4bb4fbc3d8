package dev.superstep.graph;

import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Collects what is wrong with one document, in the order in which it is found.
public final class Violations {
  private final Value document;
  private final int eachMax;
  private final List<Violation> all = new ArrayList<>();
  private final List<Violation> errors = new ArrayList<>();
  private final List<Violation> warnings = new ArrayList<>();

  public Violations() {
    this(Value.NULL, Integer.MAX_VALUE);
  }

  /// @param document as its author wrote it
  /// @param eachMax only so many errors, and so many warnings, are collected
  public Violations(Value document, int eachMax) {
    this.document = document;
    this.eachMax = eachMax;
  }

  /// The location of the whole document.
  public Location root() {
    return root(UnaryOperator.identity());
  }

  /// The location of a document that was made from the author's.
  ///
  /// @param origin maps what is wrong with it to where the author wrote that
  public Location root(UnaryOperator<Violation> origin) {
    return new Location(this, origin);
  }

  Value document() {
    return document;
  }

  public void error(String pointer, String code, String message) {
    error(Violation.of(pointer, code, message));
  }

  public void error(Violation violation) {
    add(violation, errors);
  }

  public void warn(Violation violation) {
    add(violation, warnings);
  }

  private void add(Violation violation, List<Violation> kind) {
    if (kind.size() < eachMax) {
      kind.add(violation);
      all.add(violation);
    }
  }

  public boolean hasErrors() {
    return !errors.isEmpty();
  }

  boolean hasErrorAt(String pointer) {
    return errors.stream().anyMatch(it -> it.pointer().equals(pointer));
  }

  public List<Violation> errors() {
    return List.copyOf(errors);
  }

  public List<Violation> warnings() {
    return List.copyOf(warnings);
  }

  /// Errors and warnings, in the order in which they were found.
  public List<Violation> all() {
    return List.copyOf(all);
  }
}
