/// The command line: what the jar does in place of serving, as in `java -jar <its jar> validate
/// graph.yaml`. Definitions are read here, without a server; runs are started on a server, over its
/// API. Begin with [dev.superstep.command.SuperstepCommand].
@NullMarked
package dev.superstep.command;

import org.jspecify.annotations.NullMarked;
