/// How many tokens a text has for a model. Begin with [Tokenizer].
@NullMarked
package dev.superstep.token;

import org.jspecify.annotations.NullMarked;
