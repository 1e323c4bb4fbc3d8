/// The service itself: resume, answer, cancel, edit, delete, reconcile. Nothing but `web` is above
/// it. Begin with [dev.superstep.run.service.Runs].
@NullMarked
package dev.superstep.run.service;

import org.jspecify.annotations.NullMarked;
