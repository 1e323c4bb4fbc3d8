package dev.superstep.definition.web;

import dev.superstep.definition.read.Catalog.ReducerDescription;
import org.jspecify.annotations.Nullable;

/// A reducer in answers of the API.
record ReducerBody(String name, String description, @Nullable String requires) {

  static ReducerBody of(ReducerDescription reducer) {
    return new ReducerBody(
        reducer.name(), reducer.text(), reducer.key().isEmpty() ? null : reducer.key());
  }
}
