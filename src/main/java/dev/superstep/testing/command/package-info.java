/// Running tests from the command line, without a server and without a database. Begin with
/// [dev.superstep.testing.command.TestCommand].
@NullMarked
package dev.superstep.testing.command;

import org.jspecify.annotations.NullMarked;
