package dev.superstep.definition.store;

import dev.superstep.compute.StoredValues;
import dev.superstep.definition.GraphVersion;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
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
  record Key(String graph, int version) {}

  @EmbeddedId private Key key;

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
    this.key = new Key(version.name(), version.version());
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
}
