/// The audit log: who did what to which object. Begin with [AuditLog], which writes it in the
/// transaction of what it records, and [AuditEvents], which reads it.
@NullMarked
package dev.superstep.audit;

import org.jspecify.annotations.NullMarked;
