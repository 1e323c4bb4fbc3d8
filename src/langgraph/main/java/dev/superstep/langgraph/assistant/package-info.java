/// Assistants: graphs with a configuration, in versions. Every graph is one by itself, with an id
/// that derives from its name; clients make others. Begin with
/// [dev.superstep.langgraph.assistant.Assistants].
@NullMarked
package dev.superstep.langgraph.assistant;

import org.jspecify.annotations.NullMarked;
