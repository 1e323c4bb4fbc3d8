/// The API key calls of the REST API. Begin with [dev.superstep.apikey.web.KeyController].
@NullMarked
package dev.superstep.apikey.web;

import org.jspecify.annotations.NullMarked;
