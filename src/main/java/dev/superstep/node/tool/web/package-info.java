/// The tool calls of the REST API.
@NullMarked
package dev.superstep.node.tool.web;

import org.jspecify.annotations.NullMarked;
