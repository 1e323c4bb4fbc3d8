/// `subgraph` nodes: another graph, run as one node (E41). Begin with
/// [dev.superstep.node.subgraph.SubgraphNodeType].
@NullMarked
package dev.superstep.node.subgraph;

import org.jspecify.annotations.NullMarked;
