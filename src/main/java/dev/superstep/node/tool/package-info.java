/// `tool` nodes, and the tools of this server: Spring beans and HTTP tools.
@NullMarked
package dev.superstep.node.tool;

import org.jspecify.annotations.NullMarked;
