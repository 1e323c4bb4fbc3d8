/// The service itself: resume, answer, cancel, edit, delete, reconcile. The top floor of the
/// feature, which uses all other rooms. Begin with [dev.superstep.run.service.Runs].
@NullMarked
package dev.superstep.run.service;

import org.jspecify.annotations.NullMarked;
