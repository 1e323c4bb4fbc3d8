package dev.superstep.definition.store;

import dev.superstep.compute.StoredValues;
import dev.superstep.definition.GraphVersion;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/// One version of a graph. Rows are inserted once and never updated.
@Entity
@Immutable
@Table(name = "graph_version")
class VersionEntity {

  @Embeddable
  record GraphVersionKey(String graph, int version) {}

  @EmbeddedId private GraphVersionKey key;

  @Column(nullable = false)
  private String hash;

  @Column(nullable = false)
  private String definition;

  @Column(nullable = false)
  private String warnings;

  @Column(nullable = false)
  private Instant createdAt;

  @Column private @Nullable String createdBy;

  @NullUnmarked
  protected VersionEntity() {} // for Hibernate

  VersionEntity(GraphVersion version) {
    this.key = new GraphVersionKey(version.name(), version.version());
    this.hash = version.hash();
    this.definition = Canonical.text(version.definition());
    this.warnings = Canonical.text(ProblemValues.write(version.warnings()));
    this.createdAt = version.createdAt();
    this.createdBy = version.createdBy().orElse(null);
  }

  GraphVersion toVersion() {
    return new GraphVersion(
        key.graph(),
        key.version(),
        hash,
        createdAt,
        Optional.ofNullable(createdBy),
        ProblemValues.read(StoredValues.read(warnings)),
        StoredValues.read(definition) instanceof ObjectValue object ? object : ObjectValue.empty());
  }

  /// Converts problems to and from their stored form: a list of `{pointer, code, message, line?,
  /// column?}`.
  private static final class ProblemValues {
    private ProblemValues() {}

    static ListValue write(List<Violation> violations) {
      return ListValue.of(violations.stream().map(ProblemValues::write).toList());
    }

    private static ObjectValue write(Violation violation) {
      var object =
          ObjectValue.of("pointer", Value.of(violation.pointer()))
              .plus("code", Value.of(violation.code()))
              .plus("message", Value.of(violation.message()));
      return violation.hasPosition()
          ? object
              .plus("line", Value.of(violation.line()))
              .plus("column", Value.of(violation.column()))
          : object;
    }

    static List<Violation> read(Value stored) {
      var violations = new ArrayList<Violation>();
      if (stored instanceof ListValue list) {
        for (var item : list) {
          if (item instanceof ObjectValue object) {
            violations.add(read(object));
          }
        }
      }
      return violations;
    }

    private static Violation read(ObjectValue fields) {
      return new Violation(
          fields.textOrEmpty("pointer"),
          fields.textOrEmpty("code"),
          fields.textOrEmpty("message"),
          fields.findInt("line").orElse(0),
          fields.findInt("column").orElse(0));
    }
  }
}
