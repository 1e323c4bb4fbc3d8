/// The fault suite: real processes of the packaged jar over a PostgreSQL of their own, which are
/// killed, frozen, cut off and lied to, and the invariants I1 to I12 afterwards.
@NullMarked
package dev.superstep.fault;

import org.jspecify.annotations.NullMarked;
