/// Tools of this server by name, the operator's policies, and where tools come from. Begin with
/// [dev.superstep.node.tool.Tools]; calls are in `call`, the kinds of tools in `source`.
@NullMarked
package dev.superstep.node.tool;

import org.jspecify.annotations.NullMarked;
