/// Benchmarks; run with the profile `bench`.
@NullMarked
package dev.superstep.bench;

import org.jspecify.annotations.NullMarked;
