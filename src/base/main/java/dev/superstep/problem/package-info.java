/// Errors of requests: their codes, the fields that they name, and the exception that carries both.
@NullMarked
package dev.superstep.problem;

import org.jspecify.annotations.NullMarked;
