/// Streams of runs in terms of states, changes and messages, made of the events of
/// [dev.superstep.run.stream]. Begin with [dev.superstep.langgraph.stream.StreamAnswers].
@NullMarked
package dev.superstep.langgraph.stream;

import org.jspecify.annotations.NullMarked;
