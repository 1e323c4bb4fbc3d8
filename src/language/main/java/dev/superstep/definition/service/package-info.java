/// Posting, finding and compiling definitions, and the catalog. Begin with
/// [dev.superstep.definition.store.Definitions].
@NullMarked
package dev.superstep.definition.service;

import org.jspecify.annotations.NullMarked;
