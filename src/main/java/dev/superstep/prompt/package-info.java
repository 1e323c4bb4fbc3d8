/// Prompt contexts of this server: registered transforms and processors, the cache of views, and
/// what shows people why an item of a context did not arrive (P14, P16, P17). Begin with
/// [PromptConfiguration].
@NullMarked
package dev.superstep.prompt;

import org.jspecify.annotations.NullMarked;
