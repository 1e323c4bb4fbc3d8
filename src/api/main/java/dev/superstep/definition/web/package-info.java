/// The graph calls of the REST API. Begin with [dev.superstep.definition.web.GraphController].
@NullMarked
package dev.superstep.definition.web;

import org.jspecify.annotations.NullMarked;
