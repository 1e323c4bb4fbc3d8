/// Errors of requests, and the only class that turns a failure into an HTTP answer.
@NullMarked
package dev.superstep.problem;

import org.jspecify.annotations.NullMarked;
