/// Untrusted regular expressions: measured before they are compiled, matched in time linear in the
/// text (RE2), kept compiled within a bound. Schemas and expressions use the same ones. Begin with
/// [LinearPattern].
@NullMarked
package dev.superstep.pattern;

import org.jspecify.annotations.NullMarked;
