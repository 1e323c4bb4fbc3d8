package dev.superstep.definition.store;

import dev.superstep.definition.AuthorText;
import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/// The text that was posted last for a version. It is written under the lock of the graph's row.
@Entity
@Table(name = "graph_source")
class SourceEntity {
  @SuppressWarnings("UnusedVariable") // Hibernate reads it
  @EmbeddedId
  private VersionEntity.GraphVersionKey key;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private AuthorText.Format format;

  @Column(nullable = false)
  private String text;

  @Column(nullable = false)
  private Instant postedAt;

  @NullUnmarked
  protected SourceEntity() {} // for Hibernate

  SourceEntity(VersionEntity.GraphVersionKey key, AuthorText source, Instant now) {
    this.key = key;
    this.format = source.format();
    this.text = source.text();
    this.postedAt = now;
  }

  AuthorText source() {
    return new AuthorText(format, text);
  }

  /// A text that is the same byte for byte changes nothing.
  void replace(AuthorText source, Instant now) {
    if (!source.equals(source())) {
      format = source.format();
      text = source.text();
      postedAt = now;
    }
  }
}
