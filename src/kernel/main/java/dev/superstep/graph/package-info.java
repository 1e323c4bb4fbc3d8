/// Graphs as values: nodes, edges, routes, limits. No behaviour but lookups. Begin with [Graph].
@NullMarked
package dev.superstep.graph;

import org.jspecify.annotations.NullMarked;
