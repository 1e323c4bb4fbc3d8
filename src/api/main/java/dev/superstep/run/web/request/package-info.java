/// Bodies of requests about runs, and their checks. Begin with
/// [dev.superstep.run.web.request.StartRunBody].
@NullMarked
package dev.superstep.run.web.request;

import org.jspecify.annotations.NullMarked;
