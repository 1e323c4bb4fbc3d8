/// Answers clients that were written for the LangGraph Agent Server: a second face of the same
/// service, below a path of its own. It maps to what the API of `/v1` is made of, keeps nothing
/// that is not needed for that, and bends no rule of it. Begin with
/// [dev.superstep.langgraph.LangGraphFace]; the packages beside this package have a group of calls
/// each.
@NullMarked
package dev.superstep.langgraph;

import org.jspecify.annotations.NullMarked;
