/// The requirements of durable execution that AWS publishes, held against the packaged service;
/// begin with [dev.superstep.durable.DurableExecutionIT].
@NullMarked
package dev.superstep.durable;

import org.jspecify.annotations.NullMarked;
