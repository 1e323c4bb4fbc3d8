/// Makes the calls of Spring AI's agents durable steps. Begin with
/// [dev.superstep.starter.springai.DurableSpringAi].
@NullMarked
package dev.superstep.starter.springai;

import org.jspecify.annotations.NullMarked;
