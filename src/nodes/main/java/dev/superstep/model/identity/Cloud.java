package dev.superstep.model.identity;

/// A cloud that knows processes by more than a key.
public enum Cloud {
  AZURE,
  GOOGLE,
  AWS
}
