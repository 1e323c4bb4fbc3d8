/// The tool calls of the REST API. Begin with [dev.superstep.node.tool.web.ToolController].
@NullMarked
package dev.superstep.node.tool.web;

import org.jspecify.annotations.NullMarked;
