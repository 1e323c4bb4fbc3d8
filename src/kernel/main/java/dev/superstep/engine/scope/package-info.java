/// What the tasks of one superstep share, and one attempt as its node sees it. Begin with
/// [dev.superstep.engine.scope.SuperstepContext].
@NullMarked
package dev.superstep.engine.scope;

import org.jspecify.annotations.NullMarked;
