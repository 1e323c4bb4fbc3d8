/// What is wrong with a request or a setting, as its author reads it, and what many requests have
/// in common: who calls, pages, times. Begin with [ServiceException].
@NullMarked
package dev.superstep.problem;

import org.jspecify.annotations.NullMarked;
