package dev.superstep.model;

/// Whether a provider is told what of a prompt to keep in its cache, where it has to be told.
enum PromptCache {
  AUTO,
  OFF
}
