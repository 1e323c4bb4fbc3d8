/// Answers clients that were written for the LangGraph Agent Server: a second face of the same
/// service, below a path of its own. It maps to what the API of `/v1` is made of, keeps nothing
/// that is not needed for that, and bends no rule of it. Begin with [LangGraphFace]; here are what
/// all its calls share, messages, and the calls about stored items.
@NullMarked
package dev.superstep.langgraph;

import org.jspecify.annotations.NullMarked;
