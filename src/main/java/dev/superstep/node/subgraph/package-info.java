/// The `subgraph` node: runs another graph as one node (E41).
@NullMarked
package dev.superstep.node.subgraph;

import org.jspecify.annotations.NullMarked;
