/// Authentication. Safe by default: without API keys the service listens on loopback only.
@NullMarked
package dev.superstep.security;

import org.jspecify.annotations.NullMarked;
