/// Bodies of answers about runs. Begin with [dev.superstep.run.web.response.RunBody].
@NullMarked
package dev.superstep.run.web.response;

import org.jspecify.annotations.NullMarked;
