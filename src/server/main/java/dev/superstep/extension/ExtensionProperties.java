package dev.superstep.extension;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/// Settings of the operator's jars.
///
/// @param extensions folder of jars whose components and configurations join the service
@ConfigurationProperties("superstep")
record ExtensionProperties(@Nullable Path extensions) {}
