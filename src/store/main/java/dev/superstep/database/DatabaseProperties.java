package dev.superstep.database;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where the embedded database lives.
///
/// @param dataDir folder of the embedded PostgreSQL; used only when spring.datasource.url is absent
@ConfigurationProperties("superstep")
record DatabaseProperties(@DefaultValue("./data") Path dataDir) {}
