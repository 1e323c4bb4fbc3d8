/// The service itself: resume, answer, cancel, edit, delete, reconcile. The top room of the
/// feature, which uses all others. Begin with [dev.superstep.run.service.Runs].
@NullMarked
package dev.superstep.run.service;

import org.jspecify.annotations.NullMarked;
