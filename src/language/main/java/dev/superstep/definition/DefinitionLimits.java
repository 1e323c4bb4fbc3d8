package dev.superstep.definition;

import dev.superstep.problem.Setting;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// How large one definition may be (E15), and how many versions a graph may have.
///
/// @param bytesMax size of the text, JSON or YAML
/// @param nodesMax nodes of a graph
/// @param edgesMax edges of a graph
/// @param channelsMax declared channels of a graph
/// @param expressionsMax expressions of a definition, each segment of a template being one
/// @param versionsMax versions that are stored under one name, hidden ones included
/// @param compiledMax compiled graph versions kept in memory
/// @param compiledSizeMax what the definitions of the compiled graphs kept in memory take together
@ConfigurationProperties("superstep.definitions")
public record DefinitionLimits(
    @DefaultValue("1048576") int bytesMax,
    @DefaultValue("2000") int nodesMax,
    @DefaultValue("5000") int edgesMax,
    @DefaultValue("1000") int channelsMax,
    @DefaultValue("5000") int expressionsMax,
    @DefaultValue("10000") int versionsMax,
    @DefaultValue("500") int compiledMax,
    @DefaultValue("32MB") DataSize compiledSizeMax) {
  /// The same as when nothing is set.
  public static final DefinitionLimits UNSET =
      new DefinitionLimits(
          1 << 20, 2_000, 5_000, 1_000, 5_000, 10_000, 500, DataSize.ofMegabytes(32));

  public DefinitionLimits {
    new Setting("superstep.definitions.bytes-max").within(1, 1 << 30, bytesMax);
    new Setting("superstep.definitions.nodes-max").within(1, 1_000_000, nodesMax);
    new Setting("superstep.definitions.edges-max").within(1, 1_000_000, edgesMax);
    new Setting("superstep.definitions.channels-max").within(0, 1_000_000, channelsMax);
    new Setting("superstep.definitions.expressions-max").within(1, 1_000_000, expressionsMax);
    new Setting("superstep.definitions.versions-max").within(1, 100_000_000, versionsMax);
    new Setting("superstep.definitions.compiled-max").within(1, 1_000_000, compiledMax);
    new Setting("superstep.definitions.compiled-size-max").size(compiledSizeMax);
  }
}
