/// How a channel takes an update. Begin with [dev.superstep.state.reducer.Reducer].
@NullMarked
package dev.superstep.state.reducer;

import org.jspecify.annotations.NullMarked;
