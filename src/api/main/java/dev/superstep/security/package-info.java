/// Authentication: API keys, of settings and kept, and tokens of an issuer. Safe by default:
/// without API keys the service listens on loopback only. Begin with [SecurityChain].
@NullMarked
package dev.superstep.security;

import org.jspecify.annotations.NullMarked;
