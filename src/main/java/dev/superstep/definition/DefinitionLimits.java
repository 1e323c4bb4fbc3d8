package dev.superstep.definition;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How large one definition may be (E15).
///
/// @param bytesMax size of the text, JSON or YAML
/// @param nodesMax nodes of a graph
/// @param edgesMax edges of a graph
/// @param channelsMax declared channels of a graph
/// @param compiledMax compiled graph versions kept in memory
@ConfigurationProperties("superstep.definitions")
record DefinitionLimits(
    @DefaultValue("1048576") int bytesMax,
    @DefaultValue("2000") int nodesMax,
    @DefaultValue("5000") int edgesMax,
    @DefaultValue("1000") int channelsMax,
    @DefaultValue("500") int compiledMax) {}
