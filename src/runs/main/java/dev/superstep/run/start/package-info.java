/// What changes runs: starts, children, forks, answers, resumes, and the queue of a thread. Begin
/// with [Starter]; [RunInserter] writes, one statement for many; [Runs] puts them together.
@NullMarked
package dev.superstep.run.start;

import org.jspecify.annotations.NullMarked;
