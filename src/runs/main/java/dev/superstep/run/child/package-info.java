/// Child runs of subgraph nodes: preparing, inserting and reading how they ended. Begin with
/// [dev.superstep.run.child.ChildRunInserter].
@NullMarked
package dev.superstep.run.child;

import org.jspecify.annotations.NullMarked;
