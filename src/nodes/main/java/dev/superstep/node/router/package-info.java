/// `router` nodes: they do nothing; their edges decide. Begin with
/// [dev.superstep.node.router.RouterNodeType].
@NullMarked
package dev.superstep.node.router;

import org.jspecify.annotations.NullMarked;
