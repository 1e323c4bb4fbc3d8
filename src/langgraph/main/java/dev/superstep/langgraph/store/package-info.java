/// The calls about what agents remember across threads. Begin with
/// [dev.superstep.langgraph.store.StoreController].
@NullMarked
package dev.superstep.langgraph.store;

import org.jspecify.annotations.NullMarked;
