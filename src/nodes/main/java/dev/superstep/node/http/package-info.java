/// `http` nodes: a request, or a function over HTTP that streams. Uses `outbound`. Begin with
/// [dev.superstep.node.http.HttpNode].
@NullMarked
package dev.superstep.node.http;

import org.jspecify.annotations.NullMarked;
