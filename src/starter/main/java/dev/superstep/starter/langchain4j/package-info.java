/// Makes the calls of LangChain4j's AI services durable steps. Begin with
/// [dev.superstep.starter.langchain4j.DurableServices].
@NullMarked
package dev.superstep.starter.langchain4j;

import org.jspecify.annotations.NullMarked;
