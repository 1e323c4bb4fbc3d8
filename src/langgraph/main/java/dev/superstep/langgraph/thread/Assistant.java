package dev.superstep.langgraph.thread;

import dev.superstep.definition.GraphRegistry.Listed;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.Optional;

/// A graph with a configuration.
public record Assistant(String id, int version, AssistantContent content, AssistantTimes times) {

  /// What a version is made of.
  ///
  /// @param config `tags`, `recursion_limit`, `configurable`
  /// @param context variables of the prompt context
  public record AssistantContent(
      String graph,
      String name,
      Optional<String> description,
      ObjectValue config,
      ObjectValue context,
      ObjectValue metadata) {}

  public record AssistantTimes(Instant createdAt, Instant updatedAt) {}

  /// What a search sorts by, without the content, which may be large.
  ///
  /// @param stored whether there is a row; else it is what a graph is by itself
  record Head(VersionKey key, String graph, String name, AssistantTimes times, boolean stored) {
    /// @param itself what a graph is by itself
    static Head of(Assistant itself) {
      return new Head(
          new VersionKey(itself.id, itself.version),
          itself.graph(),
          Tenant.shown(itself.graph()),
          itself.times,
          false);
    }
  }

  /// A version of an assistant.
  record VersionKey(String id, int version) {}

  /// What a graph is by itself.
  static Assistant of(Listed graph) {
    return new Assistant(
        AssistantIds.ofGraph(graph.name()),
        1,
        contentOf(graph.name()),
        new AssistantTimes(graph.createdAt(), graph.updatedAt()));
  }

  /// What a graph is by itself.
  static Assistant of(Head graph) {
    return new Assistant(
        graph.key().id(), graph.key().version(), contentOf(graph.graph()), graph.times());
  }

  private static AssistantContent contentOf(String graph) {
    return new AssistantContent(
        graph,
        Tenant.shown(graph),
        Optional.empty(),
        ObjectValue.empty(),
        ObjectValue.empty(),
        ObjectValue.of("created_by", "system"));
  }

  public String graph() {
    return content.graph();
  }

  /// As clients read it.
  ObjectValue json() {
    return ObjectValue.builder()
        .put("assistant_id", Tenant.shown(id))
        .put("graph_id", Tenant.shown(content.graph()))
        .put("name", content.name())
        .put("description", content.description().map(Value::of).orElse(Value.NULL))
        .put("version", version)
        .put("config", content.config())
        .put("context", content.context())
        .put("metadata", content.metadata())
        .put("created_at", times.createdAt().toString())
        .put("updated_at", times.updatedAt().toString())
        .build();
  }
}
