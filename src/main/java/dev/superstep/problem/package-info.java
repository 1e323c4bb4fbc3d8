/// What can go wrong with a request, and the only place where a failure becomes an HTTP answer.
/// Begin with [ProblemHandler] and [ErrorCode].
@NullMarked
package dev.superstep.problem;

import org.jspecify.annotations.NullMarked;
