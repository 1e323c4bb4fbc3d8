/// Which hosts and addresses may be called. Begin with
/// [dev.superstep.node.outbound.egress.EgressPolicy].
@NullMarked
package dev.superstep.node.outbound.egress;

import org.jspecify.annotations.NullMarked;
