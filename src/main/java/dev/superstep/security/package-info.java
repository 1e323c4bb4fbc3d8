/// Who may call. Safe by default: without API keys the service listens on loopback only. Begin with
/// [SecurityChain].
@NullMarked
package dev.superstep.security;

import org.jspecify.annotations.NullMarked;
