/// Filters of what an edge passes and a node takes: rules, conditions, Java filters, the cache of
/// views. Begin with [dev.superstep.context.filter.ContextFilter], which puts the filters of a node
/// together; whether an item stays is said by [dev.superstep.context.filter.PartFilter].
@NullMarked
package dev.superstep.context.filter;

import org.jspecify.annotations.NullMarked;
