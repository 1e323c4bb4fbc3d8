/// The model calls of the REST API.
@NullMarked
package dev.superstep.model.web;

import org.jspecify.annotations.NullMarked;
