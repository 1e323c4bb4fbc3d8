/// How this process proves to a cloud who it is, so that models of that cloud need no key: begin
/// with [dev.superstep.model.identity.WorkloadIdentity], which [Clouds] makes.
@NullMarked
package dev.superstep.model.identity;

import org.jspecify.annotations.NullMarked;
