package dev.superstep.checkpoint;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// @param patience for how long a write is tried again while the database is away
@ConfigurationProperties("superstep.store")
record StoreSettings(@DefaultValue("30s") Duration patience) {}
