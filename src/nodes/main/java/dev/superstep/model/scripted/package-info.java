/// A chat model that answers from the operator's script: for examples, demonstrations and tests of
/// graphs, without a provider, a key or a second process. Begin with [ScriptedModel].
@NullMarked
package dev.superstep.model.scripted;

import org.jspecify.annotations.NullMarked;
