/// The REST calls about prompt contexts: preview, transforms, processors. Begin with
/// [dev.superstep.prompt.web.ContextController].
@NullMarked
package dev.superstep.prompt.web;

import org.jspecify.annotations.NullMarked;
