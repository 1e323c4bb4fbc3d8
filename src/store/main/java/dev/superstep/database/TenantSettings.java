package dev.superstep.database;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Whether several share the server.
///
/// @param enabled whether keys and tokens may be of other tenants than the default one
@ConfigurationProperties("superstep.tenants")
public record TenantSettings(@DefaultValue("false") boolean enabled) {}
