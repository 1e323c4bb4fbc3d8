/// Superstep: runs graphs of language-model agents in Pregel supersteps on PostgreSQL.
@NullMarked
package dev.superstep;

import org.jspecify.annotations.NullMarked;
