/// This process in the cluster: its membership, its clock, its health. Begin with
/// [dev.superstep.schedule.replica.Membership].
@NullMarked
package dev.superstep.schedule.replica;

import org.jspecify.annotations.NullMarked;
