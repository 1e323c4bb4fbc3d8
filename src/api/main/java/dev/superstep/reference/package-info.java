/// What the service says about itself: the meaning of every code that it sends. Begin with
/// [dev.superstep.reference.ErrorCatalog]; the texts are in `problems/codes.yaml`. The pages of
/// codes are built from the same texts.
@NullMarked
package dev.superstep.reference;

import org.jspecify.annotations.NullMarked;
