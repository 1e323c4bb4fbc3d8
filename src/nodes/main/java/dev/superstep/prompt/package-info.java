/// Prompt contexts of this server: registered transforms and processors, the cache of views, and
/// the explanation why an item of a context did not arrive (P14, P16, P17).
@NullMarked
package dev.superstep.prompt;

import org.jspecify.annotations.NullMarked;
