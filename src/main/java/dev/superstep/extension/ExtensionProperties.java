package dev.superstep.extension;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/// Jars of the operator's own.
///
/// @param extensions folder whose jars are added to the class path; their auto-configurations apply
@ConfigurationProperties("superstep")
record ExtensionProperties(@Nullable Path extensions) {}
