/// The graph calls of the REST API.
@NullMarked
package dev.superstep.definition.web;

import org.jspecify.annotations.NullMarked;
