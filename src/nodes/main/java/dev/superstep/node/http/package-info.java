/// `http` nodes: a request, or a function over HTTP that streams; and the calls that they and tools
/// make to addresses that graphs name, within the operator's egress policy. Begin with [HttpNode]
/// and [Outbound].
@NullMarked
package dev.superstep.node.http;

import org.jspecify.annotations.NullMarked;
