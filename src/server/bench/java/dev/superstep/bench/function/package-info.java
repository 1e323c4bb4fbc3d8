/// The node functions of the workloads; they reach a started service as an extension jar.
@NullMarked
package dev.superstep.bench.function;

import org.jspecify.annotations.NullMarked;
