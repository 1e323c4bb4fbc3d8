/// Tests of the face for clients of the LangGraph Agent Server.
@NullMarked
package dev.superstep.langgraph;

import org.jspecify.annotations.NullMarked;
