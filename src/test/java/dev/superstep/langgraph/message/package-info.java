/// Tests of the conversion of messages.
@NullMarked
package dev.superstep.langgraph.message;

import org.jspecify.annotations.NullMarked;
