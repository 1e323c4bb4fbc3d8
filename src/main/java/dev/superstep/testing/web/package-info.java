/// Running tests over HTTP. Begin with [dev.superstep.testing.web.GraphTestController].
@NullMarked
package dev.superstep.testing.web;

import org.jspecify.annotations.NullMarked;
