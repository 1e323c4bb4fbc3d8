/// `human` nodes: a question to a person, whose answer goes into a channel. Begin with
/// [dev.superstep.node.human.HumanNodeType].
@NullMarked
package dev.superstep.node.human;

import org.jspecify.annotations.NullMarked;
