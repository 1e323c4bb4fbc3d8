/// Serves the report on this server.
@NullMarked
package dev.superstep.server.web;

import org.jspecify.annotations.NullMarked;
