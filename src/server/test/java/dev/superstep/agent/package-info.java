/// Agents over the whole service: definitions, REST API, engine, PostgreSQL, and a model that is a
/// stub.
@NullMarked
package dev.superstep.agent;

import org.jspecify.annotations.NullMarked;
