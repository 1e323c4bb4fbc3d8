@NullMarked
package dev.superstep.langgraph.run;

import org.jspecify.annotations.NullMarked;
