/// Graphs as values: nodes, edges, routes, limits. No behaviour but lookups. Begin with [Graph].
/// [Violations] collects what is wrong with data from outside, each with its location.
@NullMarked
package dev.superstep.graph;

import org.jspecify.annotations.NullMarked;
