/// The model calls of the REST API. Begin with [dev.superstep.model.web.ModelController].
@NullMarked
package dev.superstep.model.web;

import org.jspecify.annotations.NullMarked;
