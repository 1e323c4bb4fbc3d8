/// Filters of what an edge passes and a node takes: rules, conditions, Java filters, the cache of
/// views. An entry is dropped in [dev.superstep.context.filter.ContextFilter]; begin there.
@NullMarked
package dev.superstep.context.filter;

import org.jspecify.annotations.NullMarked;
