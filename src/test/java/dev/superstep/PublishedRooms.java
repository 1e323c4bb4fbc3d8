package dev.superstep;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.modulith.core.ApplicationModuleDetectionStrategy;
import org.springframework.modulith.core.ApplicationModuleInformation;
import org.springframework.modulith.core.JavaPackage;
import org.springframework.modulith.core.NamedInterfaces;

/// Which rooms of a feature others may use, besides its root. All other rooms are internal to their
/// feature.
public final class PublishedRooms implements ApplicationModuleDetectionStrategy {
  private static final Map<String, Set<String>> PUBLISHED =
      Map.ofEntries(
          Map.entry(
              "checkpoint", Set.of("codec", "event", "interrupt", "jdbc", "read", "row", "slice")),
          Map.entry("context", Set.of("filter", "read", "trace", "transform")),
          Map.entry(
              "definition",
              Set.of("check", "diagram", "form", "read", "service", "testing", "type")),
          Map.entry(
              "engine",
              Set.of(
                  "budget",
                  "checkpoint",
                  "context",
                  "node",
                  "pool",
                  "port",
                  "program",
                  "routing",
                  "run",
                  "task")),
          Map.entry("expression", Set.of("compile", "type")),
          Map.entry("http", Set.of("openapi")),
          Map.entry("json", Set.of("schema", "yaml")),
          Map.entry("node", Set.of("tool")),
          Map.entry("run", Set.of("stream", "view")),
          Map.entry("schedule", Set.of("replica")),
          Map.entry("state", Set.of("reducer", "value")));

  @Override
  public Stream<JavaPackage> getModuleBasePackages(JavaPackage root) {
    return ApplicationModuleDetectionStrategy.directSubPackage().getModuleBasePackages(root);
  }

  @Override
  public NamedInterfaces detectNamedInterfaces(
      JavaPackage module, ApplicationModuleInformation information) {
    var rooms = PUBLISHED.getOrDefault(module.getLocalName(), Set.of());
    return NamedInterfaces.of(module, information)
        .and(
            NamedInterfaces.builder(module)
                .including(it -> rooms.contains(it.getLocalName()))
                .build());
  }
}
