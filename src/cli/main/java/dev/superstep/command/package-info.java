/// The command line: what the jar does in place of serving, as in `java -jar <its jar> validate
/// graph.yaml`. Definitions are read here, without a server. Begin with
/// [dev.superstep.command.SuperstepCommand].
@NullMarked
package dev.superstep.command;

import org.jspecify.annotations.NullMarked;
