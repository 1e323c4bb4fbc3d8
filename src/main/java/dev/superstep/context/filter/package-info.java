/// What passes an edge and what a node takes: rules, conditions, Java filters, the cache of views.
/// Begin with [dev.superstep.context.filter.NodeContext] and
/// [dev.superstep.context.filter.EdgeContext]; [dev.superstep.context.filter.PartFilter] decides
/// which entry is dropped, by the rules of a [dev.superstep.context.filter.ContextFilter], of an
/// edge or of a node's type.
@NullMarked
package dev.superstep.context.filter;

import org.jspecify.annotations.NullMarked;
